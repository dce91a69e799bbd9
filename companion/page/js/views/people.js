// Who is at the table with which phone: roles, seats, the host's word.
import { html, useState } from "../../vendor/htm-preact.js";
import { isHost, state } from "../store.js";
import { act } from "../act.js";
import { deviceName, isDefaultName, t } from "../words.js";
import { Button, Sheet, Switch } from "../parts.js";

function Person(props) {
  const person = props.person;
  const close = props.close;
  const seats = state.table.view ? state.table.view.players : state.table.set_up.players;
  const sit = (seat) => act("sit", { seat: seat, device: person.id });
  return html`<${Sheet} title=${deviceName(person.name)} close=${close}>
    <div class="stack">
      <p class="label">${t("people.seat")}</p>
      <div class="choices" role="group" aria-label=${t("people.seat")}>
        ${seats.map((player, index) => html`<button type="button" key=${index} class="choice" aria-pressed=${String(person.seat === index)} onClick=${() => sit(person.seat === index ? null : index)}>${player.name}</button>`)}
      </div>
      ${person.role !== "host" &&
      html`<div>
        <${Switch} on=${person.decider} set=${(on) => act("decider", { device: person.id, on: on })}>${t("people.decider")}<//>
        <${Switch} on=${person.role === "viewer"} set=${(on) => act("role", { device: person.id, role: on ? "viewer" : "player" })}>${t("people.only-looks")}<//>
        <${Button} kind="wide" onClick=${() => act("hand-over", { device: person.id }).then((answer) => answer.ok && close())}>${t("people.hand-over")}<//>
        <p class="small">${t("people.hand-over.words")}</p>
      </div>`}
    </div>
  <//>`;
}

export function People() {
  const table = state.table;
  const [open, setOpen] = useState(null);
  const [name, setName] = useState(isDefaultName(state.you.name || "") ? "" : state.you.name || "");
  const players = table.view ? table.view.players : table.set_up.players;
  const chosen = open === null ? null : table.people.filter((person) => person.id === open)[0];
  return html`<div class="people">
    <section class="block">
      <h2>${t("people.me")}</h2>
      <form class="add" onSubmit=${(event) => {
        event.preventDefault();
        if (name.trim()) act("name", { name: name.trim() }, t("done"));
      }}>
        <input type="text" maxlength="40" aria-label=${t("welcome.name")} placeholder=${deviceName(state.you.name || "")} value=${name} onInput=${(event) => setName(event.target.value)} />
        <button type="submit" class="button">${t("save")}</button>
      </form>
      ${state.you.role !== "viewer" && players.length > 0 &&
      html`<div class="seat-choices" role="group" aria-label=${t("welcome.who")}>
        ${players.map((player, index) => html`<button type="button" key=${index} class="seat-choice" aria-pressed=${String(state.you.seat === index)} onClick=${() => act("sit", { seat: state.you.seat === index ? null : index })}>${player.name}</button>`)}
      </div>`}
    </section>
    <section class="block">
      <h2>${t("people.all")}</h2>
      <ul class="people-list">
        ${table.people.map((person) => {
          const seat = person.seat !== null && person.seat !== undefined && players[person.seat] ? players[person.seat].name : "";
          const inside = html`<i class=${"presence" + (person.here ? " here" : "")}></i><span><b>${deviceName(person.name)}</b><small>${t("role." + person.role)}${person.decider && person.role !== "host" ? ", " + t("people.decides") : ""}${seat ? ", " + seat : ""}${person.here ? "" : ", " + t("people.away")}</small></span>`;
          return html`<li key=${person.id}>${isHost() && person.id !== state.you.id ? html`<button type="button" class="person" onClick=${() => setOpen(person.id)}>${inside}</button>` : html`<span class="person">${inside}</span>`}</li>`;
        })}
      </ul>
    </section>
    ${chosen && html`<${Person} person=${chosen} close=${() => setOpen(null)} />`}
  </div>`;
}
