import {
  all,
  clock,
  dated,
  fill,
  find,
  format,
  now,
  settings,
  stateOf,
  words,
  zoned,
} from "./page.js";
import { announce } from "./texts.js";
import { showMatches } from "./filter.js";
import { showState, summarize } from "./headline.js";
import { showIncidents } from "./incidents.js";
import { showFigures } from "./periods.js";

const { order, zone } = settings;

// The states of a newer summary, and the headline that follows from them.
export const take = (sites, newest) => {
  now.last = newest;
  for (const { slug, state: seen, paused } of sites) {
    const row = all("[data-slug]").find((one) => one.dataset.slug === slug);
    const least = row?.dataset.least;
    const state = order.indexOf(least) > order.indexOf(seen) ? least : seen;
    const { sentences } = row?.dataset ?? {};
    const word = sentences ? JSON.parse(sentences)[state] : words.get(state);
    if (!row || paused || !word || state === stateOf(row)) continue;
    showState(find(".name", row) ?? row, state, word);
    find(".since", row)?.remove();
    announce(
      sentences
        ? word
        : fill(settings.labeled, { NAME: find("[dir]", row).textContent, VALUE: word }),
    );
  }
  for (const place of all("[data-location]")) {
    const { of, location: name } = place.dataset;
    const seen = sites.find(({ slug }) => slug === of)?.locations?.[name];
    if (!words.has(seen) || seen === stateOf(place)) continue;
    showState(place, seen, words.get(seen));
    // The last result on the page is an older one.
    place.closest("tr").lastChild.textContent = "";
  }
  for (const time of all(".newest time")) {
    time.dateTime = newest;
    time.title = format(newest, dated(newest), clock, zoned, { timeZone: zone, year: "numeric" });
  }
  showIncidents(sites, newest);
  if (now.changes) {
    summarize();
    showFigures();
  }
  showMatches();
};
