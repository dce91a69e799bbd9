// This phone as the camera: its pictures go to the laptop one after the other, the next when the last has arrived.
import { html, useEffect, useRef, useState } from "../../vendor/htm-preact.js";
import { state } from "../store.js";
import { Button, go } from "../parts.js";
import { stayAwake } from "../speech.js";
import { t } from "../words.js";

const WIDTH = 1280;
const PAUSE_MS = 200;
const AGAIN_MS = 1500;

/** Browsers open a camera only for pages that came over https, or from the machine itself. */
export const canBeCamera = () => Boolean(window.isSecureContext && navigator.mediaDevices && navigator.mediaDevices.getUserMedia);

export function Lens() {
  const video = useRef(null);
  const [words, setWords] = useState(t("loading"));
  const [fault, setFault] = useState("");
  const wanted = (state.table.camera || {}).mode === "phone";
  useEffect(() => {
    if (!canBeCamera()) {
      setFault(t("lens.secure"));
      return undefined;
    }
    let stream = null;
    let timer = null;
    let over = false;
    const canvas = document.createElement("canvas");
    const later = (wait) => {
      if (!over) timer = window.setTimeout(send, wait);
    };
    const post = (blob) =>
      fetch("/api/lens", { method: "POST", credentials: "same-origin", headers: { "Content-Type": "image/jpeg" }, body: blob }).then(
        (response) => {
          setFault(response.ok ? "" : t(response.status === 403 ? "lens.other" : "lens.unwanted"));
          setWords(response.ok ? t("lens.sending") : "");
          later(response.ok ? PAUSE_MS : AGAIN_MS);
        },
        () => {
          setFault(t("fault.no-contact"));
          later(AGAIN_MS);
        },
      );
    function send() {
      const film = video.current;
      if (over || !film || !film.videoWidth) return later(PAUSE_MS);
      canvas.width = Math.min(WIDTH, film.videoWidth);
      canvas.height = Math.round((canvas.width * film.videoHeight) / film.videoWidth);
      canvas.getContext("2d").drawImage(film, 0, 0, canvas.width, canvas.height);
      return canvas.toBlob((blob) => (blob ? post(blob) : later(AGAIN_MS)), "image/jpeg", 0.85);
    }
    const ask = { video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } }, audio: false };
    navigator.mediaDevices.getUserMedia(ask).then(
      (opened) => {
        if (over) return opened.getTracks().forEach((track) => track.stop());
        stream = opened;
        video.current.srcObject = opened;
        stayAwake();
        return later(PAUSE_MS);
      },
      () => setFault(t("lens.refused")),
    );
    return () => {
      over = true;
      window.clearTimeout(timer);
      if (stream) stream.getTracks().forEach((track) => track.stop());
    };
  }, []);
  return html`<div class="lens">
    <video ref=${video} autoplay muted playsinline aria-label=${t("camera.alt")}></video>
    <p role="status">${wanted ? words : ""}</p>
    ${fault && html`<p class="fault">${fault}</p>`}
    <p class="small">${t("lens.words")}</p>
    <${Button} kind="wide" onClick=${() => go("camera")}>${t("lens.end")}<//>
  </div>`;
}
