{
  // The page is whole without. What this is told: see layout/live.tsx.
  const find = (what, place = document) => place.querySelector(what);
  const note = find(".live");
  const told = JSON.parse(document.currentScript.dataset.live);
  const { summary, checked, most, late, order, overall } = told;
  const words = new Map(told.words);
  const { lang } = document.documentElement;
  const ago = new Intl.RelativeTimeFormat(lang, { style: "short", numeric: "auto" });
  const clock = new Intl.DateTimeFormat(lang, { timeStyle: "short" });
  const full = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" });
  const local = (time, by = full) => by.format(new Date(time));
  const age = (time) => Math.floor((Date.now() - Date.parse(time)) / 6e4);
  const all = (what, place = document) => [...place.querySelectorAll(what)];
  const stateOf = (row) => find("use", row).href.baseVal.slice(3);
  let [last, limit, asked, news] = [checked, 26 * 60, 0, ""];

  const tell = () => {
    // The day that is told before a time.
    let day;
    for (const time of all("time")) {
      const at = time.dateTime;
      const [past, hasClock] = [age(at), /T/.test(at)];
      const own = new Date(hasClock ? at : `${at}T00:00`).toDateString();
      if (hasClock) {
        const isNow = past >= 0 && past < 60 && time.closest(".times");
        const by = time.className && own === day ? clock : full;
        time.title ||= time.textContent;
        time.textContent = isNow ? ago.format(-past, "minute") : local(at, by);
      }
      day = own;
    }
    const text = age(last) > limit ? late.replace("$TIME", local(last)) : news;
    if (note.textContent !== text) note.textContent = text;
  };

  const show = (place, state, word) => {
    for (const { classList } of [place, ...all(".shape", place)]) {
      classList.remove(...words.keys());
      classList.add(state);
    }
    find("use", place).setAttribute("href", `#s-${state}`);
    find(".word", place).textContent = word;
  };

  const take = (sites) => {
    const newest = sites.map((site) => site.lastUpdated).filter(Date.parse).sort().at(-1);
    // It lay in a cache.
    if (!newest || newest < last) return;
    // What is part of the page is as old as the page, and says nothing of later checks.
    if (newest > checked || /^http/.test(summary)) limit = most;
    if (newest === last) return;
    [last, news] = [newest, ""];
    for (const { slug, state: seen, paused } of sites) {
      const row = all("[data-slug]").find((one) => one.dataset.slug === slug);
      const least = row?.dataset.least;
      const state = order.indexOf(least) > order.indexOf(seen) ? least : seen;
      const word = words.get(state);
      if (!row || paused || !word || state === stateOf(row)) continue;
      show(find(".state", row) ?? row, state, word);
      find(".since", row)?.remove();
      news += `${find("[dir]", row).textContent}: ${word}. `;
    }
    for (const time of all(".newest time")) {
      time.dateTime = newest;
      time.title = local(newest);
    }
    for (const { classList, dataset } of all("[data-incident]")) {
      const site = sites.find(({ slug }) => slug === dataset.of);
      if (site) classList.toggle("gone", site.incident !== dataset.incident);
    }
    for (const place of all("[data-overall]")) {
      const rows = all("[data-slug]", place.closest(".group") ?? document);
      if (!rows[0]) continue;
      const count = (state) => rows.filter((row) => stateOf(row) === state).length;
      const known = rows.length - count("paused") - count("unknown");
      const rule = overall.findIndex(([state, , more]) => known && count(state) / known > more);
      const found = rule < 0 ? overall.length - 1 : rule;
      show(place, ...overall[Math.min(found, place.dataset.least ?? found)]);
    }
  };

  const refresh = async () => {
    tell();
    if (!summary || location.protocol === "file:" || document.hidden) return;
    if (Date.now() - asked < 55e3) return;
    asked = Date.now();
    try {
      take(await (await fetch(summary, { cache: "no-cache" })).json());
      tell();
    } catch {
      // The page stays as it is.
    }
  };

  setInterval(refresh, 6e4);
  addEventListener("visibilitychange", refresh);
  refresh();
}
