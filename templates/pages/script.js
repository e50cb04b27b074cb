{
  // The page is whole without. What this is told: see layout/live.tsx.
  const find = (what, place = document) => place.querySelector(what);
  const all = (what, place = document) => [...place.querySelectorAll(what)];
  const toldBy = (place) => JSON.parse(find("[data-live]", place).dataset.live);
  let { checked } = toldBy(document);
  const { summary, build, most, late, zone, order, overall, ...told } = toldBy(document);
  const words = new Map(told.words);
  const { lang } = document.documentElement;
  const ago = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const zoned = { timeZoneName: "short" };
  const format = (at, ...parts) =>
    new Intl.DateTimeFormat(lang, Object.assign({}, ...parts)).format(new Date(at));
  const yearOf = (at) => new Date(at).getFullYear();
  const dated = (at) => ({
    month: "short",
    day: "numeric",
    year: yearOf(at) === yearOf(Date.now()) ? undefined : "numeric",
  });
  const age = (at) => Math.floor((Date.now() - Date.parse(at)) / 6e4);
  const stateOf = (row) => find("use", row).href.baseVal.slice(3);
  let [last, limit, asked, news, built, stored] = [checked, 26 * 60, 0, ""];

  // Times in the zone of the visitor, which the last one of a line names.
  const tell = () => {
    const times = all("time");
    const lineOf = (time) => time.closest("p,dd,li,th,h3") ?? time;
    const lines = new Map(times.map((time) => [lineOf(time), time]));
    let day;
    for (const time of times) {
      const at = time.dateTime;
      const [past, hasClock] = [age(at), /T/.test(at)];
      const own = new Date(hasClock ? at : `${at}T00:00`).toDateString();
      if (hasClock) {
        time.title ||= time.textContent;
        const isNow = past >= 0 && past < 60 && time.closest(".times");
        const date = time.className && own === day ? {} : dated(at);
        const label = lines.get(lineOf(time)) === time ? zoned : {};
        time.textContent = isNow ? ago.format(-past, "minute") : format(at, date, clock, label);
      }
      day = own;
    }
    const text = age(last) > limit
      ? late.replace("$TIME", format(last, dated(last), clock, zoned))
      : news;
    const note = find(".live");
    if (note.textContent !== text) note.textContent = text;
  };

  // The bars of the chosen window: those in the page, or drawn from their data for another window.
  const lengths = { day: 36e5, week: 216e5, month: 864e5, year: 365 / 52 * 864e5 };
  const own = new WeakMap();
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
        const from = Date.parse(checked) + 1e3 - (pieces.length - index) * lengths[choice];
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

  const choose = () => {
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
    const choice = target.id.slice(2);
    try {
      history.replaceState(null, "", `?window=${choice}${location.hash}`);
      localStorage.window = choice;
    } catch {
      // It is not kept here.
    }
  });

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
    for (const place of all("[data-location]")) {
      const { of, location: name } = place.dataset;
      const seen = sites.find(({ slug }) => slug === of)?.locations?.[name];
      if (!words.has(seen) || seen === stateOf(place)) continue;
      show(place, seen, words.get(seen));
      // The last result on the page is an older one.
      place.closest("tr").lastChild.textContent = "";
    }
    for (const time of all(".newest time")) {
      time.dateTime = newest;
      time.title = format(newest, dated(newest), clock, zoned, { timeZone: zone, year: "numeric" });
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

  // A page that was built anew takes the place of this one, with its title and icon.
  const renew = async () => {
    const answer = await fetch(build, { cache: "no-cache" });
    if (!answer.ok) return;
    const text = await answer.text();
    const isNew = built && text !== built;
    built = text;
    if (!isNew) return;
    const page = await (await fetch(location.href, { cache: "no-cache" })).text();
    const fresh = new DOMParser().parseFromString(page, "text/html");
    ({ checked } = toldBy(fresh));
    [last, news] = [checked, ""];
    document.title = fresh.title;
    find("main").replaceWith(find("main", fresh));
    find("footer.bottom").replaceWith(find("footer.bottom", fresh));
    for (const icon of all("link[rel=icon]")) icon.href = icon.href.replace(/\?.*|$/, `?${age(0)}`);
    choose();
    tell();
  };

  const refresh = async () => {
    tell();
    if (!summary || location.protocol === "file:" || document.hidden) return;
    if (Date.now() - asked < 55e3) return;
    asked = Date.now();
    try {
      take(await (await fetch(summary, { cache: "no-cache" })).json());
      tell();
      await renew();
    } catch {
      // The page stays as it is.
    }
  };

  choose();
  setInterval(refresh, 6e4);
  addEventListener("visibilitychange", refresh);
  refresh();
}
