// The calls: what the referee says aloud, written and spoken. What was missed in sleep is summed up, never spoken again.
import { update } from "./store.js";
import { message, sentences, t } from "./words.js";
import { legalPhrase, seatNumber } from "./model.js";
import { say } from "./speech.js";

// An illegal play and the end of the game interrupt; everything else waits its turn.
const URGENT = /^(illegal|loses|wins|tied)/;

/** Called with log entries that arrived live (none after a snapshot), and the table after them. */
export function hearEntries(entries, table) {
  if (!entries.length || !table) return;
  const said = [];
  let urgent = false;
  entries.forEach((entry) => {
    if (entry.state && entry.state !== "valid") return;
    const words = sentences((entry.messages || []).filter(news), true);
    if (words) said.push(words);
    (entry.messages || []).forEach((one) => {
      if (entry.verdict === "illegal" || URGENT.test(one.code || "")) urgent = true;
    });
  });
  const call = turnCall(table, true);
  if (call) said.push(call);
  if (!said.length) return;
  const all = said.join(" ");
  update(urgent ? { alarm: all, spoken: "" } : { spoken: all, alarm: "" });
  say(all, urgent);
}

// Whose turn it is, the page says itself, with what may be played.
const news = (said) => said.code !== "turn";

const sentence = (words) => (/[.!?]$/.test(words) ? words : words + ".");

/** "Ann, your turn: 7 or lower, also 2 and 10." for the table as it is; empty where nobody is to move. */
export function turnCall(table, spoken) {
  const view = table.view;
  if (table.state === "please check") return sentence(t("call.check"));
  if (!view || view.phase !== "play" || view.turn === null || view.turn === undefined) return "";
  const seat = seatNumber(view, view.turn);
  const phrase = legalPhrase(view, spoken);
  const what = phrase.headline + (phrase.also ? ", " + phrase.also : "");
  return sentence(t("call.turn", { player: view.players[seat].name, what: what }, spoken));
}

/** The last calls in words, newest last, for the ticker. */
export function saidWords(table) {
  return (table.said || []).filter(news).map((said) => message(said)).filter(Boolean);
}
