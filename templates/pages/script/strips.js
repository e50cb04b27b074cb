import { all, element, fill, find, format, settings, words } from "./page.js";
import { slide } from "./slider.js";

const DAY = 864e5;
export const isNarrow = () => matchMedia("(max-width:767px)").matches;

// Bars as states with minutes of failure; without a text all are up.
export const decode = (text, count) =>
  (text ?? `${count}*up`).split(" ").flatMap((piece) => {
    const [, count = 1, state, minutes] = /(?:(\d+)\*)?([a-z]+)(\d*)/.exec(piece);
    return Array(+count).fill([state, minutes]);
  });

const line = (color, text, ...rest) => element("p", "", element("span", color, text), ...rest);

const linkTo = (href, title) => Object.assign(element("a", "", title), { href, dir: "auto" });

// The card of a bar: that of a day has its uptime, and links to its incidents.
export const makeCard = ([state], title, wholeDay, day, page) => {
  const isUp = state === "up";
  const [
    ,
    share = isUp && wholeDay,
    incidents = [isUp ? ["", settings.quiet] : [state, words.get(state)]],
  ] = day;
  return [
    element("b", "", title),
    ...share ? [line("muted", fill(settings.dayUptime, { SHARE: share }))] : [],
    ...incidents.map(([color, text, name, id]) =>
      line(
        color,
        text,
        ...id ? [" ", linkTo(page.replace("ID", encodeURIComponent(id)), name)] : [],
      )
    ),
  ];
};

// Makes each strip a slider over bars, by default those of days that the page shows at this width.
export const readStrips = (barsOf, cardOf) => {
  const label = find(".windows :checked")?.ariaLabel ?? "";
  const { end, page, sites = {} } = JSON.parse(find("#days")?.textContent ?? "{}");
  const days = new Map(Object.entries(sites));
  for (const strip of all(".strip")) {
    const row = strip.closest("[data-slug]");
    const { name = row && find("[dir]", row).textContent, of = row?.dataset.slug } = strip.dataset;
    const bars = barsOf?.(strip) ?? decode(strip.dataset.quarter, 90).slice(isNarrow() ? -30 : 0);
    const count = bars.length;
    strip.style.setProperty("--bars", count);
    slide(strip, {
      label: `${name} ${label}`,
      points: bars.map((_, index) => (index + 0.5) / count),
      stops: bars.flatMap(([, minutes], index) => minutes ? index : []),
      cardOf: (index) => {
        const left = count - index;
        const card = cardOf?.(bars[index], left, strip, end);
        if (card) return card;
        const date = Date.parse(end) - (left - 1) * DAY;
        const day = days.get(of)?.find(([at]) => at === 90 - left);
        const title = format(date, { month: "long", day: "numeric", timeZone: "UTC" });
        return makeCard(bars[index], title, settings.whole, day ?? [], page);
      },
    });
  }
};
