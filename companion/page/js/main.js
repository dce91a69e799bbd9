// Starts the page: texts, the line to the server, and a new drawing after every change.
import { html, render } from "../vendor/htm-preact.js";
import { connect } from "./connection.js";
import { followGame, loadPreferences, state, subscribe, update } from "./store.js";
import { chosenLanguage, guessLanguage, loadLanguage, namesFrom, t } from "./words.js";
import { hearEntries } from "./calls.js";
import { prime } from "./speech.js";
import { App } from "./views/app.js";

const root = document.getElementById("app");
let drawing = false;

// Several changes in one moment are drawn once.
function draw() {
  if (drawing) return;
  drawing = true;
  window.requestAnimationFrame(() => {
    drawing = false;
    dress();
    render(html`<${App} />`, root);
  });
}

let game = "";
// What was said of a game is over with it: nobody is to find its loser or its illegal play under the next one.
function hushOldGame() {
  const now = state.table && state.table.game ? state.table.game.id : "";
  if (now === game) return;
  game = now;
  if (state.alarm || state.spoken) update({ alarm: "", spoken: "" });
}

function dress() {
  const page = document.documentElement;
  const wanted = { "data-look": state.preferences.look, "data-large": state.preferences.large ? "yes" : "", "data-still": state.preferences.still ? "yes" : "" };
  Object.keys(wanted).forEach((name) => {
    if (wanted[name]) page.setAttribute(name, wanted[name]);
    else page.removeAttribute(name);
  });
  const polite = document.getElementById("polite");
  if (polite.textContent !== state.spoken) polite.textContent = state.spoken;
  const urgent = document.getElementById("urgent");
  if (urgent.textContent !== state.alarm) urgent.textContent = state.alarm;
}

function readRoute() {
  const route = window.location.hash.replace(/^#/, "");
  // So the server sends whoever became the host in another's place.
  if (route === "took") {
    update({ took: true });
    window.history.replaceState(null, "", window.location.pathname);
  }
  update({ route: route === "took" ? "" : route });
}

let loading = "";
function followLanguage() {
  const wanted = state.preferences.language || guessLanguage();
  if (wanted === chosenLanguage() || wanted === loading) return;
  loading = wanted;
  loadLanguage(wanted).then(() => {
    loading = "";
    document.title = t("app.title");
    update({});
  });
}

loadPreferences();
namesFrom(() => {
  const table = state.table;
  if (!table) return [];
  return (table.view ? table.view.players : table.set_up.players).map((player) => player.name);
});
window.addEventListener("hashchange", readRoute);
// After a reload any tap wakes the voice; before that the welcome does, and asks.
document.addEventListener("click", () => {
  if (state.preferences.begun && state.preferences.sound && state.table && state.table.game) prime();
});
loadLanguage(state.preferences.language || guessLanguage()).then(() => {
  root.textContent = "";
  document.title = t("app.title");
  subscribe(draw);
  subscribe(followLanguage);
  subscribe(followGame);
  subscribe(hushOldGame);
  readRoute();
  connect(hearEntries);
});
