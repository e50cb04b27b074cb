import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { toReadmeLinks } from "../../../lib/setup/readme.ts";
import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import { mergeMessages } from "../../../lib/text/messages.ts";
import { plainText } from "../../../lib/text/plain_text.ts";
import {
  escapeMentions,
  markdownLink,
  markdownTable,
} from "../../../templates/markdown/markdown.ts";
import { liveStatus, readmeSummary, type ReadmeView } from "../../../templates/markdown/readme.ts";
import { createLanguage } from "../../../templates/pages/language.ts";
import { hostileText, REFERENCES } from "../../helpers/hostile_text.ts";
import { elementsOf, wordsOf } from "../../helpers/html.ts";
import { sitesUp } from "../../helpers/page_views.ts";
import fc from "../../helpers/property.ts";
import { rendered } from "../../helpers/rendered_markdown.ts";
import { report, siteReport, unknownSite } from "../../helpers/reports.ts";
import { WORLDS } from "../../helpers/page_worlds.ts";
import { readmeHtml, readmeViewOf } from "../../helpers/shown_readme.ts";
import { siteOf } from "../../helpers/sites.ts";

const REMOTE = { name: "origin", branch: "main" };
const LINKS = toReadmeLinks(
  { prefix: "", branch: "main", remote: REMOTE },
  { branch: "monitor-graphs" },
);

function viewOf(sites: readonly SiteReport[], changes: Partial<ReadmeView> = {}): ReadmeView {
  return {
    report: report(...sites),
    language: createLanguage(mergeMessages(), "en", "UTC"),
    links: LINKS,
    hasDarkGraphs: true,
    iconOf: () => undefined,
    ...changes,
  };
}

/** The words of the rows of a summary, cell by cell, as far as they are seen at once. */
function rowsOf(view: ReadmeView): string[][] {
  const html = readmeHtml(readmeSummary(view)).replaceAll(/<\/summary>.*?<\/details>/g, "");
  return elementsOf(html, "tr").map((row) =>
    [...elementsOf(row, "th"), ...elementsOf(row, "td")].map(wordsOf)
  );
}

Deno.test("a row has name, state, file, response time and uptime, and empty cells if a site has no data", async () => {
  const [shop, forum] = await sitesUp({ name: "Shop" }, { name: "Forum", paused: true });
  const fresh = unknownSite(await siteOf({ name: "New", url: "https://new.example" }));
  assertEquals(rowsOf(viewOf([shop!, { ...shop!, condition: "down" }, forum!, fresh])), [
    ["Site", "Status", "History", "Response time", "Uptime"],
    ["Shop", "🟩 Operational", "shop.yml", "123 ms", "100%"],
    ["Shop", "🟥 Down", "shop.yml", "123 ms", "100%"],
    ["Forum", "⏸️ Paused", "forum.yml", "123 ms", "100%"],
    ["New", "⬜ No data", "", "no data", "no data"],
  ]);
});

Deno.test("above 500 sites the README counts them, and lists at most 200 of those that are not up", async () => {
  const [up] = await sitesUp({ name: "Shop" });
  const down: SiteReport = { ...up!, condition: "down" };
  const many = (count: number, one: SiteReport) =>
    Array.from({ length: count }, () => ({ ...one }));
  const view = viewOf([...many(300, up!), ...many(201, down)]);
  assertEquals(rowsOf(view).length, 1 + 200);
  const text = readmeHtml(readmeSummary(view));
  assertStringIncludes(text, "300 of 501 operational · Down: 201");
  assertStringIncludes(text, "and 1 more");
  assertEquals(rowsOf(viewOf(many(501, up!))), []);
});

Deno.test("a group of paused sites is paused, and so are all sites together", async () => {
  const [old] = await sitesUp({ name: "Old", group: "Past", paused: true });
  const view = viewOf([old!]);
  assertEquals(rowsOf(view).slice(1).map(([name, state]) => [name, state]), [
    ["Past", "⏸️ Paused"],
    ["Old", "⏸️ Paused"],
  ]);
  assertEquals(liveStatus(view).markdown, "**⏸️ Paused**");
});

Deno.test("each group has its own row, with a state unless all its sites are up", async () => {
  const [a, b, c] = await sitesUp({ name: "A", group: "X|Y" }, { name: "B" }, {
    name: "C",
    group: "X|Y",
  });
  const down: SiteReport = { ...c!, condition: "down" };
  const rows = rowsOf(viewOf([a!, b!, down])).map(([name, state]) => [name, state]);
  assertEquals(rows.slice(1), [
    ["X|Y", "🟧 Partial outage"],
    ["A", "🟩 Operational"],
    ["C", "🟥 Down"],
    ["Other sites", ""],
    ["B", "🟩 Operational"],
  ]);
  assertEquals(liveStatus(viewOf([a!, b!, down])).markdown, "**🟧 Partial outage**");
  assertEquals(readmeSummary(viewOf([])), "Nothing is monitored yet");
});

Deno.test("the README lists groups in their order, and says who operates them", async () => {
  const rows = rowsOf(await readmeViewOf(WORLDS["others down"])).map((
    [name, state],
  ) => [name, state]);
  assertEquals(rows.slice(1, 10), [
    ["Machines", ""],
    ["API", "🟩 Operational"],
    ["Mail", "🟩 Operational"],
    ["Public", ""],
    ["Website", "🟩 Operational"],
    ["Shop", "🟩 Operational"],
    ["Stripe · Operated by others", "🟥 Major outage"],
    ["Stripe", "🟥 Down"],
    ["Other sites", ""],
  ]);
  const live = liveStatus(await readmeViewOf(WORLDS["others down"])).markdown;
  assertEquals(live, "**🟩 All systems operational**");
});

Deno.test("if checks have stopped for long, the README shows no states, and says that data is missing", async () => {
  const [shop, blog] = await sitesUp({ name: "Shop", group: "Public" }, { name: "Blog" });
  const sites = [{ ...shop!, condition: "down" as const }, blog!]
    .map((site) => ({ ...site, isUnknown: true }));
  const view = viewOf(sites, { report: { ...report(...sites), isOutdated: true } });
  assertEquals(rowsOf(view).slice(1).map(([name, state]) => [name, state]), [
    ["Public", ""],
    ["Shop", "⬜ No data"],
    ["Other sites", ""],
    ["Blog", "⬜ No data"],
  ]);
  assertEquals(liveStatus(view).markdown, "**⬜ No current data**");
});

Deno.test("everything in the repository has a relative link, whatever folder contains the README", async () => {
  const [shop] = await sitesUp({ name: "Shop | x", slug: "größe(1)-`x`" });
  const html = readmeHtml(readmeSummary(viewOf([shop!])));
  const addresses = [...html.matchAll(/(?:href|src|srcset)="([^"]*)"/g)].map(([, one]) => one!);
  const outside = addresses.filter((one) => /^[a-z]+:|^\//.test(one));
  assertEquals([...new Set(outside)], ["https://example.com/"]);
  const slug = "gr%C3%B6%C3%9Fe%281%29-%60x%60";
  const at = (base: string, one: string) => new URL(one, base).pathname;
  const front = "https://git.example/acme/status/blob/main/README.md";
  const paths = new Set(
    addresses.filter((one) => !outside.includes(one)).map((one) => at(front, one)),
  );
  assertEquals(
    paths,
    new Set([
      `/acme/status/blob/main/history/${slug}.yml`,
      `/acme/status/raw/monitor-graphs/graphs/${slug}/response-time-sparkline.svg`,
      `/acme/status/raw/monitor-graphs/graphs/${slug}/response-time-sparkline-dark.svg`,
    ]),
  );
});

Deno.test("links lead to the same places from other folders, branches, and without a remote", () => {
  const GRAPH = "graphs/x/response-time-day.png";
  const pathOf = (prefix: string, branch: string, graphs = "a/b") => {
    const remote = { name: "origin", branch };
    const repository = { prefix, branch, remote };
    const links = toReadmeLinks(repository, { branch: graphs });
    const base = `https://git.example/o/r/blob/${branch}/${prefix}README.md`;
    return [links.file("history/x.yml"), links.page("issues/1"), links.graph(GRAPH)]
      .map((one) => new URL(one, base).pathname);
  };
  for (const branch of ["main", "feature/x"]) {
    assertEquals(pathOf("", branch), [
      `/o/r/blob/${branch}/history/x.yml`,
      "/o/r/issues/1",
      "/o/r/raw/a/b/graphs/x/response-time-day.png",
    ]);
    assertEquals(pathOf("team/web/", branch, "same"), [
      `/o/r/blob/${branch}/team/web/history/x.yml`,
      "/o/r/issues/1",
      `/o/r/blob/${branch}/team/web/graphs/x/response-time-day.png`,
    ]);
  }
  const alone = toReadmeLinks(undefined, { branch: "monitor-graphs" });
  assertEquals(alone.graph(GRAPH), GRAPH);
});

Deno.test("names link to public addresses, and icons are emoji or files of the repository", async () => {
  const view = viewOf(
    await sitesUp(
      { name: "Open", url: "https://open.example/a?b=1&c" },
      { name: "Hidden", url: "https://hidden.example", hideUrl: true },
      { name: "Linked", url: "https://a:b@c.example", link: "https://linked.example" },
      { name: "Secret", url: "https://k.example/?key=$KEY" },
      { name: "Login", url: "https://me:pass@login.example" },
      { name: "Port", url: "db.example", check: "tcp-ping", port: 5432 },
    ),
    { iconOf: ({ name }) => name === "Open" ? { file: "a b/(c).svg" } : { sign: "🛒" } },
  );
  const table = readmeHtml(readmeSummary(view));
  assertEquals([...table.matchAll(/href="(https:[^"]*)"/g)].map(([, one]) => one), [
    "https://open.example/a?b=1&amp;c",
    "https://linked.example/",
    "https://login.example/",
  ]);
  assertStringIncludes(table, '<img alt="" src="assets/a%20b/%28c%29.svg" height="16">');
  assertEquals([...table.matchAll(/🛒/gu)].length, 5);
});

Deno.test("words come from the configuration, including their own signs", async () => {
  const i18n = { up: "✅ In Ordnung", url: "Seite", ms: "Millisekunden", uptimeDay: "Heute" };
  const language = createLanguage(mergeMessages(i18n), "de", "UTC");
  const view = viewOf(await sitesUp({ name: "Shop" }), { language });
  const [header, row] = rowsOf(view);
  assertEquals([header![0], ...row!.slice(1)], [
    ...["Seite", "✅ In Ordnung", "shop.yml", "123 Millisekunden", "100 %"],
  ]);
  assertStringIncludes(readmeHtml(readmeSummary(view)), "Heute: ");
});

Deno.test("the state of a site links to the issue of its open incident", async () => {
  const site = await siteOf({ name: "Shop", url: "https://example.com" });
  const plain = siteReport(site);
  const incidents = new Map([["2026-11-21-shop", { issue: 12 }]]);
  const one = {
    ...plain,
    condition: "down",
    record: { ...plain.record, incident: "2026-11-21-shop" },
    history: { ...plain.history, incidents },
  } as unknown as SiteReport;
  assertStringIncludes(
    readmeHtml(readmeSummary(viewOf([one]))),
    '<a href="../../issues/12">🟥&nbsp;Down</a>'.replace("&nbsp;", "\u00a0"),
  );
});

Deno.test("each site has one picture, light and dark; folded parts have none, and link to its page", async () => {
  const sites = await sitesUp(
    ...Array.from({ length: 20 }, (_, index) => ({ name: `S ${index}` })),
  );
  const page = "https://status.example/up";
  const html = readmeHtml(readmeSummary(viewOf(sites, { page })));
  const pictures = [...html.matchAll(/ (?:src|srcset)="([^"]*)"/g)].map(([, one]) => one!);
  assertEquals(pictures.length, 40);
  assertEquals(
    pictures.filter((one) => /response-time-sparkline(-dark)?\.svg$/.test(one)).length,
    40,
  );
  assertEquals([...html.matchAll(/<img[^>]* width="120" height="20">/g)].length, 20);
  const folded = [...html.matchAll(/<\/summary>(.*?)<\/details>/g)].map(([, one]) => one!);
  assertEquals(folded.slice(0, 2), [
    ["24-hour", "7-day", "30-day", "1-year", "All-time"]
      .map((window) => `${window} response time: 123 ms<br>`).join("") +
    '<a href="https://status.example/up/history/s-0">All figures</a>',
    ["24-hour", "7-day", "30-day", "1-year", "All-time"]
      .map((window) => `${window} uptime: 100%<br>`).join("") +
    '<a href="https://status.example/up/history/s-0">All figures</a>',
  ]);
  assertEquals(folded.length, 40);
});

Deno.test("figures of other windows are left out if a README of so many sites would exceed GitHub's limit", async () => {
  const [shop] = await sitesUp({ name: "Shop" });
  const text = readmeSummary(viewOf(Array(201).fill(shop)));
  assert(!text.includes("<details>"));
  assert(text.length < 150_000, String(text.length));
});

Deno.test("no name, group, word or address breaks out of its cell, or mentions anybody", async () => {
  const plain = await siteOf({ name: "Shop", url: "https://example.com/" });
  const shape = rendered(readmeSummary(viewOf([siteReport({ ...plain, group: "g" })], {
    page: "https://status.example",
  }))).elements.join();
  fc.assert(
    fc.property(hostileText(), hostileText(), hostileText(), (name, word, query) => {
      const url = `https://a.example/?q=${encodeURIComponent(query.toWellFormed())}`;
      const site = { ...plain, name: `n${name}`, group: `g${name}`, link: url };
      const messages = mergeMessages({
        up: `u${word}`,
        status: `s${word}`,
        uptimeDay: word,
        ms: word,
      });
      const view = viewOf([siteReport(site)], {
        language: createLanguage(messages, "en", "UTC"),
        page: "https://status.example",
      });
      const { elements, text } = rendered(readmeSummary(view));
      assertEquals(elements.join(), shape);
      for (const reference of REFERENCES) {
        assert(!reference.test(text.replaceAll(/&#\d+;/g, " ")), text);
      }
    }),
  );
});

/** The visible text. */
function said(text: string): string {
  return plainText(text.replaceAll("\u200b", "")).trim();
}

Deno.test("any text is rendered as plain text in every place", () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      const inert = escapeMentions(text);
      const places: [markdown: string, shown: string, elements: string[]][] = [
        [inert, text, inert === "" ? [] : ["p"]],
        [`**Why:** ${inert}. More`, `Why: ${plainText(text)}. More`, ["p", "strong"]],
        [`<sub>${inert}</sub>`, text, ["p", "sub"]],
        [markdownTable([inert], []), text, ["table", "thead", "tr", "th"]],
        [
          markdownTable(["a", "b"], [[inert, inert]]),
          `a b ${plainText(text)} ${plainText(text)}`,
          ["table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td"],
        ],
        [`- ${inert}`, text, ["ul", "li"]],
      ];
      for (const [markdown, shown, elements] of places) {
        const { text: seen, ...rest } = rendered(markdown);
        assertEquals(rest, { elements, addresses: [] }, markdown);
        assertEquals(said(seen), said(shown), markdown);
      }
    }),
  );
});

Deno.test("no text notifies anybody or refers to anything, though its backslashes are gone", () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      const shown = rendered(`${escapeMentions(text)} | ${escapeMentions(text)}`).text;
      assertEquals(REFERENCES.filter((one) => one.test(shown)), [], text);
    }),
  );
});

Deno.test("GitHub references are recognized in unescaped text", () => {
  const live = [
    "@jo",
    "(@acme/team)",
    "see #12",
    "GH-12",
    "acme/repo#3",
    ":smile:",
    "da39a3e",
    "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
    "GHSA-35p6-xmwp-9g52",
    "CVE-2021-44228",
    "me@a.example",
  ];
  for (const text of live) {
    assertEquals(REFERENCES.some((reference) => reference.test(text)), true, text);
    assertMatch(escapeMentions(text), /\u200b/);
  }
});

Deno.test("a link has its exact target, whatever its text and address contain", () => {
  const address = hostileText()
    .map((text) => URL.parse(text) ?? new URL("https://a.example/".concat(text.toWellFormed())))
    .filter(({ protocol }) => /^https?:$/.test(protocol));
  fc.assert(
    fc.property(hostileText(), address, (text, url) => {
      for (const link of [markdownLink(text, url), markdownTable([markdownLink(text, url)], [])]) {
        const { text: seen, elements, addresses } = rendered(link);
        assertEquals(
          elements.filter((name) => !/^(?:p|table|thead|tr|th)$/.test(name)),
          ["a"],
          link,
        );
        assertEquals(said(seen), said(text), link);
        assertEquals(addresses.map(decoded), [decoded(url.href)], link);
        assertEquals(/@\w/.test(link), false, link);
      }
    }),
  );
});

/** An address without the signs of percent-encoding, in which two that lead to the same place may differ. */
function decoded(address: string): string {
  return address.replace(
    /%([\dA-F]{2})/gi,
    (_, digits) => String.fromCharCode(parseInt(digits, 16)),
  );
}
