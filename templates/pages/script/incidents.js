import { all, fill, find, now, settings } from "./page.js";
import { fillCount } from "./texts.js";
import { spell } from "./periods.js";

const leftIn = (place) => all("[data-incident]:not(.gone)", place);

// The title of a card for what is left of it: `4 services are down`, or `Shop is down`.
const nameLeft = (card, left) => {
  const state = card.classList.contains("degraded") ? "degraded" : "down";
  const { counted = state } = find(".title", card).dataset;
  return left[1]
    ? fillCount(settings.counted[counted], left.length)
    : fill(settings.left[state], { NAME: left[0].textContent });
};

// Cards without the incidents that are over, and the numbers of what they name.
const showCards = () => {
  for (const card of all(".incident:has([data-incident])")) {
    const title = find(".title", card);
    title.own ??= [...title.childNodes];
    const facts = find(".muted", card);
    const left = facts && leftIn(facts)[0] ? leftIn(facts) : leftIn(card);
    card.classList.toggle("gone", !left[0]);
    // That of the page's own site has no name in its title.
    if (left[0] && !find("[data-incident]", title)) {
      const isWhole = facts.contains(left[0]) &&
        left.length === all("[data-incident]", facts).length;
      title.replaceChildren(...isWhole ? title.own : [nameLeft(card, left)]);
    }
    for (const rest of all(".rest", card)) {
      const count = leftIn(rest).length;
      rest.hidden = !count;
      find("summary", rest).textContent = fillCount(settings.more, count);
    }
  }
  for (const fold of all(".active > .fold")) {
    const count = fold.dataset.count - all(".gone.incident", fold).length;
    fold.hidden = !count;
    find("summary", fold).textContent = fillCount(settings.folded, count);
  }
  const shown = all(".active .incident:not(.gone)").length;
  for (const note of all(".above")) {
    const count = Math.min(note.dataset.count, shown);
    find("bdi", note).textContent = fillCount(settings.above, count);
  }
};

// Incidents as a newer summary has them: what is over, and for how long the others have lasted.
export const showIncidents = (sites, newest) => {
  for (const { classList, dataset } of all("[data-incident]")) {
    const site = sites.find(({ slug }) => slug === dataset.of);
    const isOver = site?.incident !== dataset.incident || site.state === "maintenance";
    if (site) classList.toggle("gone", isOver);
  }
  showCards();
  const passed = (Date.parse(newest) - Date.parse(now.checked)) / 1000;
  for (const place of all("[data-lasts]")) {
    const [, seconds, text] = /(\d+) (.*)/s.exec(place.dataset.lasts);
    const minutes = Math.floor((+seconds + passed) / 60);
    if (minutes > 0) place.textContent = fill(text, { TIME: spell(minutes) });
  }
  for (const pill of all("[data-starts]")) {
    const left = Math.ceil((Date.parse(pill.dataset.starts) - Date.now()) / 6e4);
    pill.textContent = left > 0 ? fill(settings.startsIn, { TIME: spell(left) }) : settings.started;
  }
};
