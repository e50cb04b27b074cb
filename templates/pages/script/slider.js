import { element, find, isPlainKey, rtl } from "./page.js";

const card = element("div", "tip");
// A click into the card leaves it open.
card.tabIndex = -1;
const sliders = new Map();
let owner, isQuiet;

// Links to outages lie over a chart, and so belong to it.
const sliderOf = (target) =>
  target?.closest?.("[role=slider]") ??
    find("[role=slider]", target?.closest?.(".outages")?.parentNode ?? card);
const isInside = (target) => owner && (sliderOf(target) === owner || card.contains(target));

const read = (place, value) => {
  const lines = sliders.get(place).cardOf(value);
  place.ariaValueNow = value;
  place.ariaValueText = lines.map((one) => one.textContent).join(", ");
  return lines;
};

// Makes an element a slider that reads values by pointers and keys. `points` are their places between the start and the
// end of a line, from 0 to 1; `cardOf` gives the elements of a card, by index. PageUp and PageDown jump to the indexes
// `stops`. The frame or line of the chosen value is drawn by styles of `.chosen`, at `--at`.
export const slide = (place, slider) => {
  sliders.set(place, slider);
  const ariaValueMax = slider.points.length - 1;
  Object.assign(place, {
    role: "slider",
    tabIndex: 0,
    ariaReadOnly: true,
    ariaLabel: slider.label,
    ariaValueMin: 0,
    ariaValueMax,
  });
  read(place, ariaValueMax);
};

const hide = () => {
  owner?.classList.remove("chosen");
  owner = card.remove();
};

const show = (place, value) => {
  if (owner !== place) {
    hide();
    place.after(card);
  }
  owner = place;
  card.replaceChildren(...read(place, value));
  const at = sliders.get(place).points[value];
  place.classList.add("chosen");
  place.style.setProperty("--at", at);
  const { left, top, bottom, width } = place.getBoundingClientRect();
  const { offsetWidth, offsetHeight, style } = card;
  const most = document.documentElement.clientWidth - offsetWidth - 8;
  const middle = left + width * (rtl ? 1 - at : at) - offsetWidth / 2;
  const below = bottom + 8;
  const above = Math.max(8, top - 8 - offsetHeight);
  style.left = Math.max(8, Math.min(middle, most)) + "px";
  style.top = (below + offsetHeight < innerHeight ? below : above) + "px";
};

const showAgain = (place = owner) => place && show(place, +place.ariaValueNow);

const showAt = (place, x) => {
  const { left, width } = place.getBoundingClientRect();
  const at = (x - left) / width;
  const distances = sliders.get(place).points.map((one) => Math.abs((rtl ? 1 - one : one) - at));
  show(place, distances.indexOf(Math.min(...distances)));
};

// Focuses an element without opening its card.
export const focusQuietly = (place) => {
  isQuiet = true;
  place.focus({ preventScroll: true });
  isQuiet = false;
};

for (const type of ["pointermove", "click"]) {
  addEventListener(type, ({ target, pointerType, clientX }) => {
    const place = sliderOf(target);
    if (place && (type === "click" || pointerType === "mouse")) showAt(place, clientX);
  });
}
// The card stays while the pointer is on it.
for (const type of ["pointerout", "focusout"]) {
  addEventListener(type, ({ relatedTarget, pointerType }) => {
    if (pointerType !== "touch" && ![relatedTarget, document.activeElement].some(isInside)) hide();
  });
}
for (const type of ["resize", "scroll"]) addEventListener(type, () => showAgain());
addEventListener("pointerdown", ({ target }) => isInside(target) || hide());
addEventListener("focusin", ({ target }) => isQuiet || showAgain(sliderOf(target)));
addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (key === "Escape" && owner) {
    focusQuietly(isInside(target) ? owner : target);
    hide();
  }
  const slider = sliders.get(target);
  if (!slider || !isPlainKey(event)) return;
  const { points, stops } = slider;
  const value = +target.ariaValueNow;
  const next = {
    [rtl ? "ArrowRight" : "ArrowLeft"]: value - 1,
    [rtl ? "ArrowLeft" : "ArrowRight"]: value + 1,
    PageUp: stops.findLast((one) => one < value),
    PageDown: stops.find((one) => one > value),
    Home: 0,
    End: points.length - 1,
  };
  if (!(key in next)) return;
  event.preventDefault();
  show(target, next[key] in points ? next[key] : value);
});
