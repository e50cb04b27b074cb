import { all, element, fill, find, format, rtl, settings, words } from "./page.js";
import { slide } from "./slider.js";

const DAY = 864e5;
export const isNarrow = () => matchMedia("(max-width:767px)").matches;

const line = (color, text, ...rest) => element("p", "", element("span", color, text), ...rest);

// The card of a bar: its time, the uptime of a day, and what failed, each with a link to its incident.
export const makeCard = (title, share, faults) => [
  element("b", "", title),
  ...share ? [line("muted", fill(settings.dayUptime, { SHARE: share }))] : [],
  ...faults.map(([color, text, link]) => line(color, text, ...link ? [" ", link] : [])),
];

// True if the path of days without data covers a day.
const isUnknown = (strip, at) =>
  [...find(".unknown", strip)?.getAttribute("d").matchAll(/M(\d+) \d+h(\d+)/g) ?? []]
    .some(([, x, width]) => x <= at && at < +x + +width);

// Makes each strip a slider over bars, by default those of days that the page shows at this width.
export const readStrips = (count = isNarrow() ? 30 : 90, partsOf) => {
  const label = find(".windows :checked")?.ariaLabel ?? "";
  const { end, page, titles, sites = {} } = JSON.parse(find("#days")?.textContent ?? "{}");
  const days = new Map(Object.entries(sites));
  for (const strip of all(".strip")) {
    const row = strip.closest("[data-slug]");
    const { name = row && find("[dir]", row).textContent, of = row?.dataset.slug } = strip.dataset;
    const own = days.get(of) ?? [];
    const first = 90 - count;
    const linkTo = (date, state, title, id) =>
      Object.assign(element("a", "", title || fill(titles[state], { NAME: name })), {
        href: page.replace("ID", encodeURIComponent(id ?? `${date.toJSON().slice(0, 10)}-${of}`)),
        // A usual title may start with a name in another direction.
        dir: title || !rtl ? "auto" : "",
      });
    const parts = partsOf?.(strip, end) ?? {
      size: count,
      stops: own.flatMap(([at]) => at < first ? [] : at - first),
      cardOf: (index) => {
        const at = first + index;
        const date = new Date(Date.parse(end) - (89 - at) * DAY);
        const title = format(date, { month: "long", day: "numeric", timeZone: "UTC" });
        const day = own.find(([one]) => one === at);
        if (!day && isUnknown(strip, at)) {
          return makeCard(title, "", [["unknown", words.get("unknown")]]);
        }
        const [, share, faults] = day ?? [at, settings.whole, [["", settings.quiet]]];
        return makeCard(
          title,
          share,
          faults.map(([state, text, title, id]) => [
            state,
            text,
            title !== undefined && linkTo(date, state, title, id),
          ]),
        );
      },
    };
    const { size, stops, cardOf } = parts;
    strip.style.setProperty("--bars", size);
    slide(strip, {
      label: `${name} ${label}`,
      points: Array.from({ length: size }, (_, index) => (index + 0.5) / size),
      stops,
      cardOf,
    });
  }
};
