import {
  all,
  clock,
  element,
  fill,
  find,
  formatter,
  lang,
  remember,
  settings,
  words,
  zoned,
} from "./page.js";
import { slide } from "./slider.js";

const DAY = 864e5;
const lengths = { day: DAY / 24, week: DAY / 4, year: 365 / 52 * DAY };
const counts = { day: 24, week: 28, quarter: 90, year: 52 };

// Minutes as `2 hr, 5 min`; older browsers have only minutes.
const spell = (minutes) =>
  Intl.DurationFormat
    ? new Intl.DurationFormat(lang, { style: "short" }).format({
      days: Math.floor(minutes / 1440),
      hours: Math.floor(minutes / 60) % 24,
      minutes: minutes % 60,
    })
    : new Intl.NumberFormat(lang, { style: "unit", unit: "minute" }).format(minutes);

// Bars as states with minutes of failure; without a text all are up.
const decode = (text, count) =>
  (text ?? `${count}*up`).split(" ").flatMap((piece) => {
    const [, count = 1, state, minutes] = /(?:(\d+)\*)?([a-z]+)(\d*)/.exec(piece);
    return Array(+count).fill([state, minutes]);
  });

// Draws bars as `drawStrip` in lib/page/strip.ts does.
const draw = (svg, bars) => {
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
  svg.setAttribute("viewBox", `0 0 ${bars.length} 26`);
  svg.replaceChildren(
    ...Object.keys(paths).map((color) => {
      const path = find("path", svg).cloneNode();
      path.setAttribute("class", color);
      path.setAttribute("d", paths[color]);
      return path;
    }),
  );
};

const line = (color, text, ...rest) => element("p", "", element("span", color, text), ...rest);

const linkTo = (href, title) => Object.assign(element("a", "", title), { href, dir: "auto" });

// The card of a bar: that of a day has its uptime, and links to its incidents.
const makeCard = ([state, minutes], from, length, day, page) => {
  const isUp = state === "up";
  const time = minutes && ` ${spell(minutes)}`;
  const [
    ,
    share = isUp && !length && settings.whole,
    incidents = [isUp ? ["", settings.quiet] : [state, words.get(state) + time]],
  ] = day;
  const parts = length ? length < DAY && { ...clock, ...zoned } : { timeZone: "UTC" };
  return [
    element(
      "b",
      "",
      formatter({ month: "long", day: "numeric" }, parts).formatRange(
        from,
        from + (length || 1) - 1,
      ),
    ),
    ...share ? [line("muted", fill(settings.dayUptime, { SHARE: share }))] : [],
    ...incidents.map(([color, text, title, id]) =>
      line(
        color,
        text,
        ...id ? [" ", linkTo(page.replace("ID", encodeURIComponent(id)), title)] : [],
      )
    ),
  ];
};

// Bars, figures and the axis follow the chosen period. Each strip is a slider over its bars.
const showPeriod = (isNarrow) => {
  const chosen = find(".windows :checked");
  const choice = chosen?.id.slice(2) ?? (isNarrow ? "month" : "quarter");
  for (const figure of all("[data-figures] :is(.uptime,.ms)")) {
    const texts = figure.closest("[data-figures]").dataset.figures.split("|");
    const at = Object.keys(lengths).indexOf(choice) * texts.length / 3;
    // The figures of 90 and of 30 days, which may be one.
    figure.own ??= figure.children[1]
      ? [...figure.children].map((one) => one.textContent)
      : [figure.textContent, figure.textContent];
    figure.textContent = at < 0
      ? figure.own[+(choice === "month")]
      : texts[at + figure.matches(".ms")];
  }
  for (const axis of all(".from")) axis.textContent = axis.dataset[choice];
  const { end, page, sites = {} } = JSON.parse(find("#days")?.textContent ?? "{}");
  const daysOf = new Map(Object.entries(sites));
  for (const strip of all(".strip")) {
    const { dataset, classList, style } = strip;
    const length = lengths[choice] ?? dataset[`${choice}Length`];
    const source = length ? choice : "quarter";
    const bars = decode(dataset[source], counts[source])
      .slice(choice === "month" ? -30 : 0);
    const svg = find("svg", strip);
    const count = bars.length;
    const key = source + count;
    if (key !== (strip.drawnKey ?? "quarter90")) draw(svg, bars);
    strip.drawnKey = key;
    classList.add("drawn");
    style.setProperty("--slots", count);
    const row = strip.closest("[data-slug]");
    const name = dataset.name ?? find("[dir]", row)?.textContent;
    const slug = dataset.of ?? row.dataset.slug;
    slide(strip, {
      label: `${name} ${chosen?.ariaLabel ?? ""}`,
      points: bars.map((_, index) => (index + 0.5) / count),
      stops: bars.flatMap(([, minutes], index) => minutes ? index : []),
      cardOf: (index) => {
        const left = count - index;
        const from = Date.parse(end) - (length ? left * length : (left - 1) * DAY);
        const day = !length && daysOf.get(slug)?.find(([at]) => at === 90 - left);
        return makeCard(bars[index], from, length, day || [], page);
      },
    });
  }
};

let stored;

// The period of the address or of the last visit, else the one that the page has at this width.
export const choosePeriod = () => {
  try {
    stored = new URLSearchParams(location.search).get("window") ?? localStorage.window;
  } catch {
    // It is not kept here.
  }
  const isNarrow = matchMedia("(max-width:767px)").matches;
  const input = find(`#w-${/^\w+$/.test(stored) && stored}:enabled`) ??
    find(isNarrow ? "#w-month" : "#w-quarter");
  if (input) input.checked = true;
  showPeriod(isNarrow);
};

addEventListener("change", ({ target }) => {
  if (target.name !== "window") return;
  stored = target.id.slice(2);
  remember("window", stored);
  choosePeriod();
});
