// What this screen knows: one object, changed only through `update`, drawn again after every change.

const PREFERENCES = "pilewatch-preferences";
const listeners = [];

export const state = {
  contact: "connecting", // connecting, live, polling, lost, not-joined
  stale: false,
  you: null,
  server: "",
  boot: "",
  seq: 0,
  v: -1,
  table: null,
  unanswered: 0, // commands of this device of which it is not known whether they reached the table
  missed: [], // entries that came while the phone slept; summed up until dismissed
  spoken: "", // the last sentence for the screen reader
  alarm: "", // an interrupting sentence (illegal play, an error)
  notice: null, // {words, kind}: the answer to what this person did last
  took: false, // this device has just become the host by the host link, in another's place
  doubt: null, // {error, resolve}: what speaks against something that this person wants to record
  route: "",
  primed: false,
  preferences: {
    language: "",
    look: "", // "", "light" or "dark"
    large: false,
    sound: true,
    rude: false,
    still: false,
    tab: "seat",
    game: "", // the game that the tab was chosen in
    restored: "", // the game whose damaged record this person has taken note of
    host: false, // this device was the host when it was last here
    begun: false, // this phone has been through the welcome once
  },
};

export function update(changes) {
  Object.assign(state, changes);
  listeners.forEach((listener) => listener(state));
}

export function subscribe(listener) {
  listeners.push(listener);
}

export function loadPreferences() {
  try {
    const kept = JSON.parse(window.localStorage.getItem(PREFERENCES) || "{}");
    Object.keys(state.preferences).forEach((key) => {
      if (typeof kept[key] === typeof state.preferences[key]) state.preferences[key] = kept[key];
    });
  } catch (error) {
    // Private windows may refuse storage; the choices then last as long as the page.
  }
}

export function prefer(changes) {
  const preferences = Object.assign({}, state.preferences, changes);
  try {
    window.localStorage.setItem(PREFERENCES, JSON.stringify(preferences));
  } catch (error) {
    // As above.
  }
  update({ preferences: preferences });
}

/** A new game opens on the own seat, or on the table where that was chosen: its plays are still to come. */
export function followGame() {
  if (!state.table) return;
  const game = state.table.game;
  const kept = state.preferences.game;
  const now = game ? (game.sample ? "sample" : game.id) : kept || "none";
  if (kept === now) return;
  prefer(kept && state.preferences.tab !== "table" ? { game: now, tab: "seat" } : { game: now });
}

export const isHost = () => Boolean(state.you && state.you.role === "host");
export const mayDecide = () => Boolean(state.you && (state.you.role === "host" || state.you.decider));
export const mayPlay = () => Boolean(state.you && state.you.role !== "viewer");

/** Whether this device may enter a play for `seat`, as the set-up's `taps` says. */
export function mayTap(seat) {
  if (!mayPlay()) return false;
  if (mayDecide()) return true;
  const taps = state.table ? state.table.set_up.taps : "everyone";
  return taps === "everyone" || (taps === "own" && state.you.seat === seat);
}
