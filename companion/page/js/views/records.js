// The games that were recorded, and what they add up to.
import { html, useEffect, useState } from "../../vendor/htm-preact.js";
import { get } from "../connection.js";
import { isHost } from "../store.js";
import { faultWords } from "../act.js";
import { Button, go } from "../parts.js";
import { chosenLanguage, has, t } from "../words.js";

export function when(seconds) {
  if (!seconds) return "";
  const date = new Date(typeof seconds === "number" ? 1000 * seconds : seconds);
  if (isNaN(date)) return String(seconds);
  try {
    // The reader's own English, say, writes dates in its own way.
    const own = (navigator.languages || []).filter((tag) => tag.slice(0, 2) === chosenLanguage())[0];
    return date.toLocaleString(own || chosenLanguage(), { dateStyle: "medium", timeStyle: "short" });
  } catch (error) {
    return date.toLocaleString();
  }
}

// The rule set by name; which house rules were changed is in the record.
function rulesOf(game) {
  const key = "rules.title." + game.rule_set;
  const title = has(key) ? t(key) : game.rule_set;
  return game.house_rules && game.house_rules.length ? t("records.house", { what: title }) : title;
}

const nameOf = (player) => (typeof player === "string" ? player : player.name);

export function Records() {
  const [games, setGames] = useState(null);
  const [fault, setFault] = useState("");
  const load = () => get("/api/games").then(setGames, (error) => setFault(faultWords(error)));
  useEffect(() => {
    load();
  }, []);
  const remove = (game) => {
    if (!window.confirm(t("records.delete.sure"))) return;
    get("/api/games/" + encodeURIComponent(game.id), { method: "DELETE" }).then(load, (error) => setFault(faultWords(error)));
  };
  if (fault) return html`<p class="fault">${fault}</p>`;
  if (!games) return html`<p class="empty">${t("loading")}</p>`;
  return html`<div class="records">
    ${games.length === 0 ? html`<p class="empty">${t("records.none")}</p>` : html`<p><a class="button" href="/api/games.zip" download>${t("records.all")}</a></p>`}
    <ul>
      ${games.map(
        (game) => html`<li class="block game" key=${game.id}>
          <p class="label">${when(game.started)}, ${rulesOf(game)}</p>
          <h2>${game.players.map(nameOf).join(", ")}</h2>
          <p>${game.state === "over" && game.loser !== null ? t("records.lost", { name: typeof game.loser === "number" ? nameOf(game.players[game.loser]) : game.loser }) : t("records.state." + game.state)}, ${t("records.turns", { count: game.turns })}</p>
          <div class="actions">
            <${Button} kind="main" onClick=${() => go("game/" + encodeURIComponent(game.id))}>${t("records.replay")}<//>
            <a class="button" href=${"/api/games/" + encodeURIComponent(game.id) + "/record"} download>${t("records.download")}</a>
            ${isHost() && game.state !== "playing" && html`<${Button} kind="danger" onClick=${() => remove(game)}>${t("records.delete")}<//>`}
          </div>
        </li>`,
      )}
    </ul>
  </div>`;
}

const COLUMNS = ["games", "lost", "first_out", "turns", "pick_ups", "cards_picked_up", "burns", "illegal", "seconds_per_turn"];

const figure = (number) => (number === null || number === undefined ? "–" : String(Math.round(number)));

export function Statistics() {
  const [all, setAll] = useState(null);
  const [fault, setFault] = useState("");
  useEffect(() => {
    get("/api/statistics").then(setAll, (error) => setFault(faultWords(error)));
  }, []);
  if (fault) return html`<p class="fault">${fault}</p>`;
  if (!all) return html`<p class="empty">${t("loading")}</p>`;
  if (!all.players.length) return html`<p class="empty">${t("records.none")}</p>`;
  return html`<div class="statistics">
    <p class="label">${t("statistics.games", { count: all.games })}${all.longest_pile > 0 && html`, ${t("statistics.longest", { count: all.longest_pile })}`}</p>
    ${all.players.map((player) => {
      const share = player.games ? Math.round((100 * player.lost) / player.games) : 0;
      return html`<section class="block" key=${player.name}>
        <h2>${player.name}</h2>
        <p class="bar" role="img" aria-label=${t("statistics.share", { count: share })}><i style=${{ width: share + "%" }}></i></p>
        <p class="small">${t("statistics.share", { count: share })}</p>
        <dl class="figures">${COLUMNS.map((column) => html`<div key=${column}><dt>${t("statistics." + (column === "games" ? "games-played" : column))}</dt><dd>${figure(player[column])}</dd></div>`)}</dl>
      </section>`;
    })}
  </div>`;
}
