{
  // The page is whole without. What this is told: see layout/live.tsx.
  const tag = document.currentScript;
  const note = document.querySelector(".live");
  const { summary, checked, most, late, words, overall } = JSON.parse(tag.dataset.live);
  const { lang } = document.documentElement;
  const ago = new Intl.RelativeTimeFormat(lang, { style: "short" });
  const { format } = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" });
  const local = (time) => format(Date.parse(time));
  const age = (time) => Math.floor((Date.now() - Date.parse(time)) / 6e4);
  const all = (what, place = document) => [...place.querySelectorAll(what)];
  const stateOf = (row) => row.querySelector("use").href.baseVal.slice(3);
  let [last, limit, asked, changes] = [checked, 26 * 60, 0, ""];

  const tell = () => {
    for (const time of all("time[datetime*=T]")) {
      const past = age(time.dateTime);
      const isNow = past >= 0 && past < 60 && time.closest(".times");
      time.title ||= time.textContent;
      time.textContent = isNow ? ago.format(-past, "minute") : local(time.dateTime);
    }
    const text = age(last) > limit ? late.replace("$TIME", local(last)) : changes;
    if (note.textContent !== text) note.textContent = text;
  };

  const show = (place, state, word) => {
    for (const { classList } of [place, ...all(".shape", place)]) {
      classList.remove(...Object.keys(words));
      classList.add(state);
    }
    place.querySelector("use").setAttribute("href", `#s-${state}`);
    place.querySelector("span").textContent = word;
  };

  const take = (sites) => {
    const newest = sites.map((site) => site.lastUpdated ?? "").sort().at(-1);
    if (newest < last) return; // It lay in a cache.
    [last, limit, changes] = [newest, most, ""];
    for (const { slug, state, paused } of sites) {
      const row = all("[data-slug]").find((one) => one.dataset.slug === slug);
      if (!row || paused || !words[state] || state === stateOf(row)) continue;
      show(row.querySelector(".state"), state, words[state]);
      changes += `${row.querySelector(".name").innerText}: ${words[state]}. `;
    }
    for (const place of all("[data-overall]")) {
      const rows = all("[data-slug]", place.closest(".group") ?? document);
      const known = rows.map(stateOf).filter((one) => !/unknown|paused/.test(one));
      const share = (state) => known.filter((one) => one === state).length / known.length;
      show(place, ...(overall.find(([state, , more]) => share(state) > more) ?? overall.at(-1)));
    }
  };

  const refresh = async () => {
    tell();
    if (!summary || location.protocol === "file:" || document.hidden) return;
    if (Date.now() - asked < 59e3) return;
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
