// The voice of the phone. Browsers stay silent until a tap has spoken once: `prime` does that from the start button.
import { state, update } from "./store.js";
import { chosenLanguage } from "./words.js";

const synthesis = window.speechSynthesis || null;
const TAGS = { en: "en-GB", de: "de-DE", sv: "sv-SE", fr: "fr-FR", nl: "nl-NL" };
const OLD_MS = 8000; // a call that waited this long is no news any more
const queue = [];
let speaking = false;
let current = 0; // which utterance is being waited for: a cancelled one may still report its end

// The clock on the wall may jump.
const now = () => (window.performance ? performance.now() : Date.now());

export const canSpeak = Boolean(synthesis && window.SpeechSynthesisUtterance);

export function prime() {
  if (canSpeak && !state.primed) {
    const silence = new SpeechSynthesisUtterance(" ");
    silence.volume = 0;
    synthesis.cancel();
    synthesis.speak(silence);
  }
  if (!state.primed) {
    update({ primed: true });
    stayAwake();
  }
}

// Only where the page is served over https; elsewhere the phone follows its own time-out.
export function stayAwake() {
  if (!navigator.wakeLock || document.hidden) return;
  navigator.wakeLock.request("screen").catch(() => {});
}

function voiceFor(tag) {
  const voices = synthesis.getVoices();
  const same = voices.filter((voice) => voice.lang.replace("_", "-").slice(0, 2) === tag.slice(0, 2));
  const local = same.filter((voice) => voice.localService);
  const exact = (local.length ? local : same).filter((voice) => voice.lang.replace("_", "-") === tag);
  return exact[0] || local[0] || same[0] || null;
}

/** Speaks a sentence after what is being said; an urgent one cuts in. Does nothing while muted or asleep. */
export function say(words, urgent) {
  if (!canSpeak || !state.preferences.sound || !state.primed || document.hidden) return;
  if (urgent) {
    queue.length = 0;
    synthesis.cancel();
    speaking = false;
  }
  queue.push({ words: words, at: now() });
  next();
}

export function hush() {
  queue.length = 0;
  speaking = false;
  if (canSpeak) synthesis.cancel();
}

function next() {
  if (speaking) return;
  let item = queue.shift();
  while (item && now() - item.at > OLD_MS) item = queue.shift();
  if (!item) return;
  const tag = TAGS[chosenLanguage()] || "en-GB";
  const utterance = new SpeechSynthesisUtterance(item.words);
  utterance.lang = tag;
  const voice = voiceFor(tag);
  if (voice) utterance.voice = voice;
  current += 1;
  const mine = current;
  const done = () => {
    if (mine !== current || !speaking) return;
    speaking = false;
    window.clearTimeout(guard);
    next();
  };
  // Some phones never report the end; do not fall silent for good.
  const guard = window.setTimeout(done, 2500 + item.words.length * 110);
  utterance.onend = done;
  utterance.onerror = done;
  speaking = true;
  synthesis.speak(utterance);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) hush();
  else if (state.primed) stayAwake();
});
