// The table from above, with a token for each player to drag to where they sit; over the camera's picture where there is one.
import { html, useEffect, useRef, useState } from "../../vendor/htm-preact.js";
import { state } from "../store.js";
import { t } from "../words.js";

/** Where tokens lie when nobody has placed them: round the table, the first at the near edge, clockwise. */
export function spread(players) {
  return players.map((player, index) => {
    if (player.x !== null && player.x !== undefined && player.y !== null && player.y !== undefined) return { x: player.x, y: player.y };
    const angle = Math.PI / 2 + (index * 2 * Math.PI) / players.length;
    return { x: 0.5 + 0.4 * Math.cos(angle), y: 0.5 + 0.4 * Math.sin(angle) };
  });
}

/** The players in the order in which they sit, clockwise as the camera sees it, from the first one on. */
export function clockwise(players) {
  const spots = spread(players);
  const angle = (spot) => Math.atan2(spot.y - 0.5, spot.x - 0.5);
  const first = spots.length ? angle(spots[0]) : 0;
  const after = (spot) => (angle(spot) - first + 4 * Math.PI) % (2 * Math.PI);
  return players
    .map((player, index) => ({ player: player, key: index === 0 ? -1 : after(spots[index]) }))
    .sort((a, b) => a.key - b.key)
    .map((one) => one.player);
}

const clamp = (number) => Math.min(0.97, Math.max(0.03, number));

/** Draws the tokens; with `move(index, x, y)` they can be dragged. */
export function Sketch(props) {
  const players = props.players || state.table.set_up.players;
  const spots = spread(players);
  const box = useRef(null);
  const [drag, setDrag] = useState(null);
  const camera = state.table.camera || {};
  const [tick, setTick] = useState(0);
  useEffect(() => {
    if (!camera.picture || !props.move) return undefined;
    const timer = window.setInterval(() => setTick((n) => n + 1), 2000);
    return () => window.clearInterval(timer);
  }, [camera.picture]);
  const point = (event) => {
    const area = box.current.getBoundingClientRect();
    const finger = event.touches && event.touches[0] ? event.touches[0] : event;
    return { x: clamp((finger.clientX - area.left) / area.width), y: clamp((finger.clientY - area.top) / area.height) };
  };
  useEffect(() => {
    if (drag === null) return undefined;
    const follow = (event) => {
      if (event.cancelable) event.preventDefault();
      const to = point(event);
      setDrag({ index: drag.index, x: to.x, y: to.y });
    };
    const drop = () => {
      props.move(drag.index, drag.x, drag.y);
      setDrag(null);
    };
    const quiet = { passive: false };
    window.addEventListener("mousemove", follow);
    window.addEventListener("touchmove", follow, quiet);
    window.addEventListener("mouseup", drop);
    window.addEventListener("touchend", drop);
    return () => {
      window.removeEventListener("mousemove", follow);
      window.removeEventListener("touchmove", follow, quiet);
      window.removeEventListener("mouseup", drop);
      window.removeEventListener("touchend", drop);
    };
  });
  const begin = (index) => (event) => {
    const at = point(event);
    setDrag({ index: index, x: at.x, y: at.y });
  };
  return html`<div class=${"sketch" + (camera.picture ? " with-picture" : "")} ref=${box} role="group" aria-label=${t("sketch")}>
    ${camera.picture ? html`<img src=${"/api/camera.jpg?n=" + tick} alt=${t("sketch.picture")} draggable=${false} />` : html`<span class="sketch-table"></span>`}
    ${spots.map((spot, index) => {
      const here = drag && drag.index === index ? drag : spot;
      // At the edge a long name reaches inwards.
      const place = { left: 100 * here.x + "%", top: 100 * here.y + "%", transform: "translate(" + -100 * here.x + "%, " + -100 * here.y + "%)" };
      const words = players[index].name;
      return props.move
        ? html`<button type="button" key=${index} class=${"token" + (drag && drag.index === index ? " dragged" : "")} style=${place} onMouseDown=${begin(index)} onTouchStart=${begin(index)}>${words}</button>`
        : html`<span key=${index} class="token" style=${place}>${words}</span>`;
    })}
  </div>`;
}
