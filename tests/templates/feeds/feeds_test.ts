import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parseStoredIncident, type StoredIncident } from "../../../lib/history/stored_incidents.ts";
import { NOTHING_SAID, parseFeedState } from "../../../lib/page/feed_state.ts";
import { feedFiles } from "../../../templates/feeds/mod.ts";
import type { View } from "../../../templates/pages/view.ts";
import { feedsOf, PUBLISHED } from "../../helpers/feed_worlds.ts";
import { HOSTILE_TEXTS } from "../../helpers/hostile_page.ts";
import { allElements } from "../../helpers/html.ts";
import { outageSince } from "../../helpers/outage.ts";
import { pageView, sitesUp } from "../../helpers/page_views.ts";

/** A page of a shop, which had an outage, and of a blog, under a known address. */
async function viewWith(
  incidents: Readonly<Record<string, string>>,
  changes: { settings?: Partial<View["settings"]>; shop?: Record<string, unknown> } = {},
): Promise<View> {
  const sites = await sitesUp({ name: "Shop", group: "Money", ...changes.shop }, { name: "Blog" });
  const files = Object.entries(incidents).map(([id, yaml]) =>
    [id, parseStoredIncident(yaml)!] as const
  );
  return pageView(sites, {
    incidents: new Map(files),
    settings: { ...PUBLISHED, ...changes.settings },
  });
}

const START = "2026-11-21T08:00:00Z";
const OUTAGE =
  `slug: shop\nkind: down\nstart: ${START}\nconfirmed: ${START}\nerror: connection refused (203.0.113.7:443)\n`;
const ID = "2026-11-21-shop";
const said = (text: string) =>
  `updates: [{ at: "2026-11-21T08:30:00Z", phase: identified, text: ${JSON.stringify(text)} }]\n`;

function find(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found]) => found!);
}

Deno.test("an entry has a title, links, names of sites, and all that happened, the newest first", async () => {
  const files = feedsOf(
    await viewWith({ [ID]: `${OUTAGE}end: 2026-11-21T09:00:00Z\n${said("A **cable**")}` }),
  );
  const { items: [item, ...others] } = JSON.parse(files.get("feed.json")!);
  assertEquals(others, []);
  assertEquals(item, {
    id: "tag:acme.github.io,2026:status/incident/2026-11-21-shop",
    url: "https://acme.github.io/status/incident/2026-11-21-shop/",
    title: "Shop was down",
    content_html: [
      "<p><strong>Shop is operational</strong></p><p>Nov 21, 2026, 09:00 UTC</p><p>Down for 1 hr</p>",
      "<p><strong>Shop: Identified</strong></p><p>Nov 21, 2026, 08:30 UTC</p><p>A <strong>cable</strong></p>",
      "<p><strong>Shop is down</strong></p><p>Nov 21, 2026, 08:00 UTC</p><p><code>connection refused (203.0.113.7:443)</code></p>",
    ].join(""),
    date_published: "2026-11-21T08:00:00.000Z",
    date_modified: "2026-11-21T09:00:00.000Z",
    tags: ["Shop"],
  });
});

Deno.test("feeds are about all sites, a group or a site, and very many sites have only those of groups", async () => {
  const view = await viewWith({ [ID]: OUTAGE });
  const files = feedsOf(view);
  const paths = [...files.keys()].filter((path) => path.endsWith("/rss.xml"));
  assertEquals(paths.sort(), [
    "group/money/rss.xml",
    "group/other/rss.xml",
    "history/blog/rss.xml",
    "history/shop/rss.xml",
  ]);
  const counts = Object.fromEntries(
    paths.map((path) => [path, files.get(path)!.split("<item>").length - 1]),
  );
  assertEquals(counts, {
    "group/money/rss.xml": 1,
    "group/other/rss.xml": 0,
    "history/blog/rss.xml": 0,
    "history/shop/rss.xml": 1,
  });
  assertStringIncludes(files.get("history/shop/rss.xml")!, "<title>Shop – Acme status</title>");
  const sites = Array.from({ length: 201 }, () => view.report.sites[0]!);
  const many = feedsOf({ ...view, report: { ...view.report, sites } });
  assertEquals([...many.keys()].filter((path) => path.endsWith("rss.xml")), [
    "rss.xml",
    "group/money/rss.xml",
  ]);
});

Deno.test("an edited comment changes the entry, and never the item that was published", async () => {
  const view = await viewWith({ [ID]: OUTAGE + said("A cable") });
  const first = feedsOf(view);
  const before = parseFeedState(first.get("feed-state.json")!);
  const edited = await viewWith({ [ID]: OUTAGE + said("A fuse") }, {
    shop: { name: "Store", slug: "shop" },
  });
  const next = new Map(feedFiles({ view: edited, before, redact: String }));
  assertEquals(next.get("rss.xml"), first.get("rss.xml"));
  assertStringIncludes(next.get("feed.xml")!, "A fuse");
  assertEquals(
    find(next.get("feed.xml")!, /<updated>(.*?)</g),
    find(first.get("feed.xml")!, /<updated>(.*?)</g),
  );
});

Deno.test("an item does not name a site that was hidden after it was published", async () => {
  const notice = (sites: string) =>
    `kind: manual\nname: Slow\nissue: 7\nstart: ${START}\nsites: [${sites}]\n`;
  const first = feedsOf(await viewWith({ slow: notice("shop, blog") }));
  assertStringIncludes(first.get("rss.xml")!, "Affected: Shop and Blog");
  const before = parseFeedState(first.get("feed-state.json")!);
  const hidden = await viewWith({ slow: notice("shop") });
  const files = new Map(feedFiles({ view: hidden, before, redact: String }));
  for (const name of ["rss.xml", "feed.xml", "feed.json", "feed-state.json"]) {
    assert(!/Affected: Shop and Blog/.test(files.get(name)!), name);
  }
});

Deno.test("ids come from the repository, whatever the address of the page is", async () => {
  const idsOf = async (settings: Partial<View["settings"]>) =>
    find(feedsOf(await viewWith({ [ID]: OUTAGE }, { settings })).get("feed.xml")!, /<id>(.*?)</g);
  const ids = [
    "tag:acme.github.io,2026:status/feed",
    "tag:acme.github.io,2026:status/incident/2026-11-21-shop",
  ];
  for (
    const address of [
      PUBLISHED.address,
      "https://status.acme.example",
      "https://acme.example/up",
      undefined,
    ]
  ) {
    assertEquals(await idsOf({ address }), ids);
  }
});

Deno.test("links are absolute, or relative to the feed if the address is not known", async () => {
  const linksOf = async (address: string | undefined, path: string) => {
    const files = feedsOf(await viewWith({ [ID]: OUTAGE }, { settings: { address } }));
    return find(files.get(path)!, /href="(.*?)"/g);
  };
  const path = "history/shop/feed.xml";
  assertEquals(await linksOf("https://acme.example/up", path), [
    "https://acme.example/up/history/shop/feed.xml",
    "https://acme.example/up/history/shop/",
    "https://acme.example/up/incident/2026-11-21-shop/",
  ]);
  assertEquals(await linksOf(undefined, path), [
    "feed.xml",
    "index.html",
    "../../incident/2026-11-21-shop/index.html",
  ]);
});

Deno.test("errors of a site whose address is hidden are in no file, and secrets are redacted in all", async () => {
  const hidden = feedsOf(await viewWith({ [ID]: OUTAGE }, { shop: { hideUrl: true } }));
  for (const [path, text] of hidden) assert(!text.includes("203.0.113"), path);
  const shown = feedsOf(await viewWith({ [ID]: OUTAGE }));
  const before = parseFeedState(shown.get("feed-state.json")!);
  const later = await viewWith({ [ID]: OUTAGE }, {
    shop: { hideUrl: true, name: "Store", slug: "shop" },
  });
  const since = new Map(feedFiles({ view: later, before, redact: String }));
  for (const [path, text] of since) assert(!text.includes("203.0.113"), path);
  assertStringIncludes(since.get("rss.xml")!, "<title>Shop is down</title>");
  const view = await viewWith({ [ID]: OUTAGE + said("The key is hunter2") });
  const redact = (text: string) => text.replaceAll("hunter2", "***");
  const files = new Map(feedFiles({ view, before: NOTHING_SAID, redact }));
  for (const [path, text] of files) assert(!text.includes("hunter2"), path);
  assertStringIncludes(files.get("api/v2/incidents.json")!, "The key is ***");
});

/** Elements and attributes that HTML of feeds has; all others would be somebody's. */
const OWN_HTML =
  /^(?:a|blockquote|br|code|del|div|em|h[1-6]|hr|img|li|ol|p|pre|strong|sup|table|tbody|td|th|thead|tr|ul)$/;
const OWN_ATTRIBUTES =
  /^(?:align|alt|aria-label|class|href|id|loading|rel|role|src|start|tabindex)$/;
const OWN_XML =
  "feed id title subtitle updated author name link entry published category content rss channel description language lastBuildDate atom:link item guid pubDate"
    .split(" ");

Deno.test("hostile titles and comments are inert in every format", async () => {
  const sites = await sitesUp(
    ...HOSTILE_TEXTS.map((name, index) => ({ name, slug: `site-${index}`, group: name })),
  );
  const at = Temporal.Instant.from(START);
  const incidents = HOSTILE_TEXTS.flatMap((text, index) => {
    const start = at.add({ minutes: index });
    const common = { name: text, text, start, updates: [{ at: start.add({ hours: 1 }), text }] };
    const sites = [`site-${index}`];
    const until = start.add({ hours: 9 });
    return [
      [`notice-${index}`, { kind: "manual", sites, issue: index + 1, ...common }],
      [
        `outage-${index}`,
        outageSince(start, { slug: sites[0]!, error: text, updates: common.updates }),
      ],
      [`window-${index}`, {
        kind: "maintenance",
        source: "hand",
        until,
        sites: new Map([[sites[0]!, "down"]]),
        ...common,
      }],
    ] as [string, StoredIncident][];
  });
  const view = pageView(sites, {
    incidents: new Map(incidents),
    settings: { ...PUBLISHED, name: HOSTILE_TEXTS[0]! },
  });
  let read = 0;
  for (const [path, text] of feedsOf(view)) {
    // deno-lint-ignore no-control-regex
    assert(!/[\0-\x08\x0b\x0c\x0e-\x1f\u202e]/.test(text) && text.isWellFormed(), path);
    if (path.endsWith("feed.json")) {
      for (const { content_html } of JSON.parse(text).items) {
        read++;
        for (const { name, attribs } of allElements(content_html)) {
          assertMatch(name, OWN_HTML);
          for (const key of Object.keys(attribs)) assertMatch(key, OWN_ATTRIBUTES);
          assertMatch(attribs["href"] ?? attribs["src"] ?? "#", /^(?:https?:|mailto:|#)/);
        }
      }
    }
    if (path.endsWith(".xml")) {
      const names = new Set(find(text, /<\/?([\w:]+)/g));
      assertEquals([...names].filter((name) => !OWN_XML.includes(name)), []);
    }
    if (path.endsWith("rss.xml")) {
      for (const title of find(text, /<title>(.*?)<\/title>/g)) {
        assert(!/&lt;[a-z/!?]/i.test(title), title);
      }
    }
    if (path.endsWith(".ics")) {
      const lines = text.replaceAll("\r\n ", "").split("\r\n").filter((line) => line !== "");
      for (const line of lines) assertMatch(line, /^[A-Z-]+(?:;[A-Z]+=[\w-]+)*:/);
      const windows = path === "maintenance.ics" ? HOSTILE_TEXTS.length : 1;
      assert(lines.filter((one) => one === "END:VEVENT").length <= windows, path);
    }
  }
  assert(read > 50, `${read}`);
});
