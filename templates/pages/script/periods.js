import { all, clock, dated, find, format, lang, now, words, zoned } from "./page.js";

const lengths = { day: 36e5, week: 216e5, month: 864e5, year: 365 / 52 * 864e5 };
const own = new WeakMap();

// The bars of the chosen period: those in the page, or drawn from their data for another one.
const draw = () => {
  const choice = find(".windows :checked")?.id.slice(2);
  for (const list of all(".days[data-day]")) {
    const legend = find(".from", list.nextElementSibling);
    if (!own.has(list)) own.set(list, [[...list.children], list.ariaLabel, legend.textContent]);
    const [first, label, start] = own.get(list);
    const pieces = (list.dataset[choice] ?? "").split(" ").flatMap((text) => {
      const [, count = 1, state, minutes] = /(?:(\d+)\*)?([a-z]+)(\d*)/.exec(text) ?? [];
      return state ? Array(+count).fill([state, minutes]) : [];
    });
    const bars = pieces.map(([state, minutes], index) => {
      const from = Date.parse(now.checked) + 1e3 - (pieces.length - index) * lengths[choice];
      const [bar, text] = ["li", "span"].map((name) => document.createElement(name));
      const length = minutes &&
        ` ${new Intl.NumberFormat(lang, { style: "unit", unit: "minute" }).format(minutes)}`;
      bar.className = state;
      text.textContent = `${
        format(from, dated(from), /day|week/.test(choice) ? { ...clock, ...zoned } : {})
      }: ${words.get(state)}${length}`;
      bar.append(text);
      return bar;
    });
    if (!list.classList.toggle("drawn", pieces.length > 0) && list.firstChild === first[0]) {
      continue;
    }
    list.replaceChildren(...(bars[0] ? bars : first));
    const name = find("[dir]", list.parentNode).textContent;
    list.ariaLabel = bars[0] ? `${name}, ${find(".windows :checked + span").textContent}` : label;
    legend.textContent = bars[0]?.textContent.split(": ")[0] ?? start;
  }
};

let stored;

export const choose = () => {
  try {
    stored = new URLSearchParams(location.search).get("window") ?? localStorage.window;
  } catch {
    // It is not kept here.
  }
  const input = find(`#w-${/^\w+$/.test(stored) && stored}`);
  if (input) input.checked = true;
  draw();
};

addEventListener("change", ({ target }) => {
  if (target.name !== "window") return;
  draw();
  const choice = stored = target.id.slice(2);
  try {
    history.replaceState(null, "", `?window=${choice}${location.hash}`);
    localStorage.window = choice;
  } catch {
    // It is not kept here.
  }
});
