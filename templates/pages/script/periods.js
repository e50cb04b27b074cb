import { all, clock, fill, find, formatter, lang, settings, words, zoned } from "./page.js";
import { makeCard, readStrips } from "./strips.js";

const DAY = 864e5;
const lengths = { day: DAY / 24, week: DAY / 4, year: 365 / 52 * DAY };
const sizes = { day: 24, week: 28, year: 52 };

// Minutes as `2 hr 5 min`, the two largest units.
export const spell = (minutes) => {
  const counts = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  const first = counts.findIndex(Boolean);
  return ["day", "hour", "minute"].flatMap((unit, index) => {
    const isShown = counts[index] && index < first + 2;
    return isShown
      ? new Intl.NumberFormat(lang, { style: "unit", unit }).format(counts[index])
      : [];
  }).join(" ");
};

// Bars as states with minutes of failure; without a text all are up.
const decode = (text, count) =>
  (text ?? `${count}*up`).split(" ").flatMap((piece) => {
    const [, count = 1, state, minutes] = /(?:(\d+)\*)?([a-z]+)(\d*)/.exec(piece);
    return Array(+count).fill([state, minutes]);
  });

// Draws bars as `drawStrip` in lib/page/strip.ts does.
const draw = (svg, bars, pattern) => {
  const paths = { up: "", gap: "" };
  const add = (layer, x, y, height) => {
    paths[layer] = `${paths[layer] ?? ""}M${x} ${y}h1v${height}h-1z`;
  };
  bars.forEach(([state, minutes], x) => {
    if (state === "unknown") return add(state, x, 22, 4);
    add("up", x, 0, 26);
    const isDown = state === "down";
    const top = minutes < 10 ? 17 : minutes < 60 ? isDown ? 10 : 17 : isDown ? 0 : 10;
    if (state === "maintenance") {
      add("gap", x, 0, 26);
      for (const y of [0, 5.5, 11, 16.5, 22]) add(state, x, y, 4);
    } else if (minutes) {
      add("gap", x, top ? top - 2 : 8, 2);
      if (!top) add(state, x, 0, 8);
      add(state, x, top || 10, top ? 26 - top : 16);
    }
  });
  svg.append(
    ...Object.keys(paths).map((color) => {
      const path = pattern.cloneNode();
      path.setAttribute("class", color);
      path.setAttribute("d", paths[color]);
      return path;
    }),
  );
};

// Figures of 90 days, and of 30 days for narrow windows, which may be one.
const showFigure = (figure, choice) => {
  const texts = figure.closest("[data-figures]").dataset.figures.split("|");
  const at = Object.keys(lengths).indexOf(choice) * texts.length / 3;
  figure.own ??= figure.children[1]
    ? [...figure.children].map((one) => one.textContent)
    : [figure.textContent, figure.textContent];
  figure.textContent = figure.matches(".down ~ .ms")
    ? "–"
    : at < 0
    ? figure.own[+(choice === "month")]
    : texts[at + figure.matches(".ms")];
};

const findChoice = () => find(".windows :checked")?.id.slice(2);

// Uptime and response times of the chosen period; what is down has no response time.
export const showFigures = () => {
  for (const figure of all("[data-figures] :is(.uptime,.ms)")) showFigure(figure, findChoice());
};

// Bars, figures and the axis follow the chosen period.
export const showPeriod = () => {
  const choice = findChoice();
  if (!choice) return;
  showFigures();
  for (const axis of all(".from")) axis.textContent = axis.dataset[choice];
  const days = choice === "month" ? 30 : 90;
  readStrips(days, (strip, end) => {
    const { dataset, classList, style } = strip;
    const length = lengths[choice] ?? +dataset[`${choice}Length`];
    const bars = length && decode(dataset[choice], sizes[choice]);
    const size = bars ? bars.length : days;
    // The bars of days, which the page came with.
    strip.days ??= find("svg", strip);
    const svg = strip.days.cloneNode(!bars);
    svg.setAttribute("viewBox", bars ? `0 0 ${size} 26` : `${90 - size} 0 ${size} 26`);
    if (bars) draw(svg, bars, find("path", strip.days));
    find("svg", strip).replaceWith(svg);
    classList.add("drawn");
    style.setProperty("--slots", size);
    if (!bars) return;
    return {
      size,
      stops: bars.flatMap(([, minutes], index) => minutes ? index : []),
      cardOf: (index) => {
        const [state, minutes] = bars[index];
        const from = Date.parse(end) - (size - index) * length;
        const parts = length < DAY
          ? { ...clock, ...zoned }
          : { year: lengths[choice] ? undefined : "numeric" };
        const title = formatter({ month: "long", day: "numeric" }, parts)
          .formatRange(from, from + length - 1);
        const text = minutes
          ? fill(settings.lasting[state], { TIME: spell(minutes) })
          : words.get(state);
        return makeCard(title, "", [state === "up" ? ["", settings.quiet] : [state, text]]);
      },
    };
  });
};
