// The calls: what the referee says aloud, written and spoken. What was missed in sleep is summed up, never spoken again.
import { update } from "./store.js";
import { message, sentences, t } from "./words.js";
import { legalPhrase, seatNumber } from "./model.js";
import { say } from "./speech.js";

// An illegal play and the end of the game interrupt; everything else waits its turn.
const URGENT = /^(illegal|loses|wins|tied)/;

// These say that somebody is to move now, be it the same player as before.
const TURNS = /^(turn|again|plays-first)$/;
let called = "";

/** Called with log entries that arrived live (none after a snapshot), and the table after them. */
export function hearEntries(entries, table) {
  if (!entries.length || !table) return;
  const call = callOf(entries, table, called);
  called = call.called;
  if (!call.words) return;
  update(call.urgent ? { alarm: call.words, spoken: "" } : { spoken: call.words, alarm: "" });
  say(call.words, call.urgent);
}

/** What is to be said of new entries: {words, urgent, called}. `before` is whose turn was called last: nobody is told twice. */
export function callOf(entries, table, before) {
  const valid = entries.filter((entry) => !entry.state || entry.state === "valid");
  if (!valid.length) return { words: "", urgent: false, called: before };
  const all = valid.reduce((list, entry) => list.concat(entry.messages || []), []);
  const said = valid.map((entry) => sentences((entry.messages || []).filter(news), true)).filter(Boolean);
  const urgent = valid.some((entry) => entry.verdict === "illegal") || all.some((one) => URGENT.test(one.code || ""));
  const call = turnCall(table, true);
  if (call && (call !== before || all.some((one) => TURNS.test(one.code || "")))) said.push(call);
  return { words: said.join(" "), urgent: urgent, called: call };
}

// Whose turn it is, the page says itself, with what may be played.
const news = (said) => said.code !== "turn";

const sentence = (words) => (/[.!?]$/.test(words) ? words : words + ".");

/** "Ann, your turn: 7 or lower, also 2 and 10." for the table as it is; empty where nobody is to move. */
export function turnCall(table, spoken) {
  const view = table.view;
  // Where only a flag is open, the game goes on meanwhile.
  const doubt = table.question || (table.may || []).length || table.verdict === "doubtful" || table.verdict === "illegal";
  if (table.state === "please check" && doubt) return sentence(t("call.check"));
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
