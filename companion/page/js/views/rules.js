// The rule set and the house rules in plain words. What each option may be comes from the server, its words from the catalogue.
import { html, useState } from "../../vendor/htm-preact.js";
import { has, rankName, t } from "../words.js";
import { told } from "../told.js";

const RANK_OF = { two: "2", three: "3", four: "4", five: "5", six: "6", seven: "7", eight: "8", nine: "9", ten: "T", jack: "J", queen: "Q", king: "K", ace: "A" };

const GROUPS = [
  ["deck", ["decks", "jokers", "joker", "hand-size", "deal", "first-card", "starts", "last-game"]],
  ["cards", ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]],
  ["answer", ["acting", "specials-on-seven", "ten-on-seven", "invisible-alone", "seven-through-invisible", "joker-answer", "sets", "ten-sets", "upcard-sets", "join-last-card"]],
  ["burn", ["four-burns", "four-specials", "invisible-breaks-four", "joker-breaks-four", "four-out-of-turn", "lead-after-ten", "lead-after-four", "lead-specials", "first-card-acts", "first-card-counts"]],
  ["turn", ["skip-self", "reverse-for-two", "voluntary-pick-up", "pick-up-with", "after-pick-up", "flip-stock", "follow-up"]],
  ["custom", ["deals-next", "forgotten-draw", "play-for", "turn-limit"]],
];

export function faultText(fault) {
  // The sentence says more than its code, with its numbers.
  if (fault.words && fault.code !== "dealer") return told(fault.words);
  return has("fault." + fault.code) ? t("fault." + fault.code, fault) : t("fault.unknown");
}

function label(option) {
  if (RANK_OF[option.name]) return t("option.rank", { what: rankName(RANK_OF[option.name]) });
  return has("option." + option.name) ? t("option." + option.name) : option.words;
}

function valueLabel(option, one) {
  const value = one.value;
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (RANK_OF[option.name] && has("power." + value)) return t("power." + value);
  const key = "option." + option.name + "." + value;
  return has(key) ? t(key) : one.words || String(value);
}

function Choice(props) {
  const option = props.option;
  const values = option.values && option.values.length ? option.values : range(option);
  const flag = option.kind === "flag";
  const list = flag && !values.length ? [{ value: true }, { value: false }] : values;
  const current = props.value;
  const read = (text) => list.map((one) => one.value).filter((value) => String(value) === text)[0];
  if (flag) {
    return html`<div class="option"><button type="button" class="switch" role="switch" aria-checked=${String(Boolean(current))} onClick=${() => props.set(!current)}>
      <span>${label(option)}</span><span class="switch-track"></span></button></div>`;
  }
  return html`<label class="option"><span>${label(option)}</span>
    <select aria-label=${label(option)} value=${String(current)} onChange=${(event) => props.set(read(event.target.value))}>
      ${list.map((one) => html`<option key=${String(one.value)} value=${String(one.value)} selected=${String(one.value) === String(current)}>${valueLabel(option, one)}</option>`)}
    </select></label>`;
}

function range(option) {
  const list = [];
  if (option.low === undefined || option.low === null) return list;
  for (let i = option.low; i <= option.high; i += 1) list.push({ value: i });
  return list;
}

export function Rules(props) {
  const [open, setOpen] = useState(false);
  const chosen = props.chosen;
  const sets = props.catalogue.rule_sets;
  const current = sets.filter((set) => set.name === chosen.rules)[0];
  const options = {};
  props.catalogue.options.forEach((option) => {
    options[option.name] = option;
  });
  const changes = chosen.options || {};
  const value = (name) => (changes[name] !== undefined ? changes[name] : current && current.options ? current.options[name] : undefined);
  const set = (name, to) => {
    const next = Object.assign({}, changes);
    if (current && current.options && current.options[name] === to) delete next[name];
    else next[name] = to;
    props.change({ options: next });
  };
  const changed = Object.keys(changes).filter((name) => options[name]);
  const grouped = {};
  GROUPS.forEach((group) => group[1].forEach((name) => (grouped[name] = true)));
  const others = props.catalogue.options.filter((option) => !grouped[option.name] && option.name !== "forfeit" && option.kind !== "text").map((option) => option.name);
  const groups = others.length ? GROUPS.concat([["other", others]]) : GROUPS;
  return html`<div class="rules">
    <div class="rule-sets" role="radiogroup" aria-label=${t("set-up.rules")}>
      ${sets.map(
        (one) => html`<button type="button" role="radio" key=${one.name} class="rule-set" aria-checked=${String(one.name === chosen.rules)} onClick=${() => props.change({ rules: one.name, options: {} })}>
          <b>${has("rules.title." + one.name) ? t("rules.title." + one.name) : one.title || one.name}</b>
          <span>${has("rules." + one.name) ? t("rules." + one.name) : (one.words || [])[0]}</span>
        </button>`,
      )}
    </div>
    ${changed.length > 0 &&
    html`<p class="small">${t("rules.changed")}</p>
      <ul class="changed">${changed.map((name) => html`<li key=${name}><${Choice} option=${options[name]} value=${value(name)} set=${(to) => set(name, to)} /></li>`)}</ul>`}
    <button type="button" class="button wide" aria-expanded=${String(open)} onClick=${() => setOpen(!open)}>${t(open ? "rules.fewer" : "rules.house")}</button>
    ${open &&
    html`<div class="house-rules">
      ${groups.map(
        (group) => html`<section key=${group[0]}><h3 class="label">${t("option-group." + group[0])}</h3>
          ${group[1].filter((name) => options[name]).map((name) => html`<${Choice} key=${name} option=${options[name]} value=${value(name)} set=${(to) => set(name, to)} />`)}
        </section>`,
      )}
      ${props.words && props.words.length > 0 && html`<section><h3 class="label">${t("rules.words")}</h3><ul class="plain-words">${props.words.map((words, index) => html`<li key=${index}>${told(words)}</li>`)}</ul></section>`}
    </div>`}
  </div>`;
}
