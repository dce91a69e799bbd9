// The state of the table in words and a mark: always on the screen.
import { html } from "../../vendor/htm-preact.js";
import { state } from "../store.js";
import { playerName, t } from "../words.js";

const stateKey = (words) => "state." + words.replace(/ /g, "-");

export function StateChip() {
  const table = state.table;
  if (state.stale || state.contact === "lost") return html`<span class="chip stale" role="status">${t("stale")}</span>`;
  if (!table) return null;
  const seat = table.seat;
  const who = seat !== null && seat !== undefined ? playerName(seat) : "";
  const mine = seat !== null && state.you && state.you.seat === seat;
  const words =
    table.state === "your turn" && who ? (mine ? t("state.your-turn") : t("state.turn-of", { player: who })) : t(stateKey(table.state));
  return html`<span class=${"chip is-" + table.state.replace(/ /g, "-")}><i class="chip-dot"></i>${words}</span>`;
}
