// What people do: each action is one command, and what went wrong is told in words.
import { command } from "./connection.js";
import { state, update } from "./store.js";
import { chosenLanguage, has, sentences, t } from "./words.js";
import { told } from "./told.js";
import { tell } from "./parts.js";

export function faultWords(error) {
  if (!error) return t("fault.unknown");
  if (error.reason && has("say." + error.reason)) return sentences([Object.assign({}, error, { code: error.reason })]);
  if (error.code === "faulty-set-up" && error.faults) return error.faults.map((one) => sentence(told(one.words))).join(" ");
  const detailed = error.code === "bad-value" || error.code === "event-refused";
  if (detailed && error.words && chosenLanguage() === "en") return error.words;
  if (has("fault." + error.code)) return t("fault." + error.code, error);
  return error.words ? "[en] " + error.words : t("fault.unknown");
}

const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");

// What speaks against it is shown (views/doubt.js); resolves with whether the person insists.
const insists = (error) => new Promise((resolve) => update({ doubt: { error: error, resolve: resolve } }));

/** Sends a command, tells what was wrong, and gives the answer back. `done`, a text or a function, is for where all went
 * well. What is doubtful is asked first, and not sent again
 * where the person thinks better of it. */
export function act(name, fields, done) {
  return command(name, fields).then((answer) => {
    if (!answer.ok && answer.error && answer.error.code === "doubtful" && answer.error.problems) {
      return insists(answer.error).then((sure) => (sure ? act(name, Object.assign({}, fields, { insist: true }), done) : answer));
    }
    if (!answer.ok) {
      const overtaken = answer.late && answer.error && answer.error.code === "stale";
      tell(overtaken ? t("late.not-taken") : faultWords(answer.error), "fault");
      return answer;
    }
    const ruling = answer.ruling;
    if (ruling && ruling.verdict === "illegal") {
      // Seat and table show what lies there and why it may not; elsewhere it is told.
      const shown = !state.route && (state.preferences.tab === "seat" || state.preferences.tab === "table");
      if (!shown) tell(sentences(ruling.messages), "fault");
      else if (answer.late) tell(t("late.taken"));
    }
    else if (ruling && ruling.verdict === "error") tell(sentences(ruling.messages), "fault");
    else if (ruling && ruling.verdict === "nothing") tell(sentences(ruling.messages));
    else if (answer.late) tell(t("late.taken"));
    else if (typeof done === "function") done();
    else if (done) tell(done);
    return answer;
  });
}

/** Lays `count` cards of a rank: the suit may be unknown, the game does not need it. */
export function lay(rank, count, suit, seat) {
  const cards = [];
  for (let i = 0; i < count; i += 1) cards.push(rank === "X" ? "XX" : rank + (i === 0 && suit ? suit : "?"));
  const fields = { cards: cards, count: count };
  if (seat !== null && seat !== undefined) fields.seat = seatName(seat);
  return act("laid", fields);
}

export function seatName(seat) {
  const table = state.table;
  const players = table && table.view ? table.view.players : table ? table.set_up.players : [];
  return typeof seat === "number" && players[seat] ? players[seat].name : seat;
}
