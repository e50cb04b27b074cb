import { assert, assertEquals, assertMatch } from "@std/assert";
import { parseStoredIncident, type StoredIncident } from "../../../lib/history/stored_incidents.ts";
import { DAY, floorToDay } from "../../../lib/time.ts";
import { eachPage } from "../../../templates/pages/mod.ts";
import { overview } from "../../../templates/pages/overview.tsx";
import { sitePages } from "../../../templates/pages/site_page.tsx";
import { elementsOf, type HtmlElement, wordsOf } from "../../helpers/html.ts";
import { pageView, sitesUp } from "../../helpers/page_views.ts";
import { type WorldName, worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";

const NAMES = ["Shop", "Blog", "Router", "Wiki"];

/** The overview of some sites, which were observed in the last ten days. */
async function overviewOf(stored: Readonly<Record<string, string>>): Promise<string> {
  const to = REPORT_TIME.epochMilliseconds;
  const intervals = [{ from: floorToDay(to) - 9 * DAY, to, state: "up" as const }];
  const sites = (await sitesUp(...NAMES.map((name) => ({ name }))))
    .map((one) => ({ ...one, samples: { ...one.samples, intervals } }));
  const incidents = new Map(
    Object.entries(stored).map(([id, text]): [string, StoredIncident] => [
      id,
      parseStoredIncident(text)!,
    ]),
  );
  return new Map(eachPage(pageView(sites, { incidents }), [overview])).get("index.html")!;
}

async function overviewIn(world: WorldName): Promise<string> {
  return new Map(eachPage(await worldView(world), [overview])).get("index.html")!;
}

function outage(slug: string, start: string, more = ""): string {
  const time = `2026-11-${start}:00.000Z`;
  return `slug: ${slug}\nkind: down\nstart: ${time}\nconfirmed: ${time}\nattempts: 3\n${more}`;
}

function cardsOf(html: string): HtmlElement[] {
  return elementsOf(html, ".incident");
}

/** Names in a card that change with the incidents of their sites. */
function marksOf(card: HtmlElement): string[] {
  return [...elementsOf(card, "a"), ...elementsOf(card, "span")].flatMap(({ attribs }) =>
    attribs["data-incident"] === undefined
      ? []
      : [`${attribs["data-of"]}: ${attribs["data-incident"]}`]
  );
}

const UPDATES = `updates:
  - at: 2026-11-20T11:00:00.000Z
    phase: investigating
    text: We **look**.
  - at: 2026-11-21T09:30:00.000Z
    phase: monitoring
    text: Better.
`;

Deno.test("of many active incidents the first five are shown, and the others are folded", async () => {
  const foldsOf = async (count: number) => {
    const many = Array.from({ length: count }, (_, index) => [
      `i${index}`,
      outage(`site-${index}`, "21T10:00", `error: refused by ${index}\n`),
    ]);
    const [active] = elementsOf(await overviewOf(Object.fromEntries(many)), ".active");
    return elementsOf(active!, ".fold").map((fold) => [
      wordsOf(elementsOf(fold, "summary")[0]!),
      elementsOf(fold, ".incident").length,
    ]);
  };
  assertEquals(await foldsOf(6), []);
  assertEquals(await foldsOf(7), [["2 more active incidents", 2]]);
  assertEquals(await foldsOf(40), [["35 more active incidents", 25]]);
});

Deno.test("a card has title, phase, facts, the newest update, earlier ones, effects, and the error last", async () => {
  const html = await overviewOf({
    a: outage("router", "20T10:00", `error: refused\naffects: [shop]\n${UPDATES}`),
    b: outage("shop", "20T10:01", "cause: a\n"),
    c: outage("blog", "21T10:00", "attempts: 1\n").replace("attempts: 3\n", ""),
  });
  assertEquals(cardsOf(html).map(wordsOf), [
    "Router is downMonitoringDown for 1 day · since Nov 20, 2026, 10:00 UTC · Router" +
    "Better. 09:30 UTC1 earlier updateInvestigating Nov 20, 2026, 11:00 UTCWe look." +
    "Also affected: ShopConfirmed after 3 attempts · refused",
    "Blog is downNo update yetDown for 5 min · since 10:00 UTC · BlogConfirmed after 1 attempt",
  ]);
  assertEquals(cardsOf(html).map(marksOf), [["shop: b", "router: a"], ["blog: c"]]);
  const [router] = cardsOf(html);
  assertEquals(router!.attribs["class"], "incident down");
  assertEquals(elementsOf(router!, ".pill").map(({ attribs }) => attribs["class"]), ["pill down"]);
});

Deno.test("the page of a site names what its open incident affects", async () => {
  const html = new Map(eachPage(await worldView("one cause"), [sitePages]));
  const cards = ["router", "shop"].map((slug) =>
    cardsOf(html.get(`history/${slug}/index.html`)!).map(wordsOf)
  );
  assertEquals(cards, [
    [
      "MonitoringThey have mended it; 503 is gone. 08:35 UTC2 earlier updatesIdentified 08:25 UTCThe bank's interface does not answer. cards transfersInvestigating 08:15 UTCPayments fail for some of you.Also affected: Shop, Checkout",
    ],
    ["No update yetCaused by Router is down"],
  ]);
});

Deno.test("several services with one error are one card, with links to the incident of each", async () => {
  const html = await overviewOf({
    a: outage("shop", "21T09:00", "error: refused\n"),
    b: outage("blog", "21T09:02", "error: refused\n"),
    c: outage("wiki", "21T09:03", "error: refused\n"),
  });
  assertEquals(cardsOf(html).map(wordsOf), [
    "Wiki is downNo update yetDown for 1 hr 2 min · since 09:03 UTC · WikiConfirmed after 3 attempts · refused",
    "2 services are downNo update yetDown for 1 hr 5 min · since 09:00 UTC · Shop, BlogAll with the same error · refused",
  ]);
  const [, shared] = cardsOf(html);
  assertEquals(marksOf(shared!), ["shop: a", "blog: b"]);
  assertEquals(elementsOf(shared!, "a").map(({ attribs }) => attribs["href"]), [
    "incident/a/index.html",
    "incident/b/index.html",
  ]);
});

Deno.test("everything down is one card, and many names are folded", async () => {
  const html = await overviewIn("everything down");
  assertEquals(cardsOf(html).map((card) => wordsOf(elementsOf(card, "h3")[0]!)), [
    "5 services are down",
  ]);
  const slugs = Array.from({ length: 12 }, (_, index) => `gone-${index}`);
  const many = await overviewOf(
    Object.fromEntries(slugs.map((slug) => [slug, outage(slug, "21T09:00", "error: refused\n")])),
  );
  const [card] = cardsOf(many);
  assertEquals(elementsOf(card!, "summary").map(wordsOf), ["and 4 more"]);
  assertEquals(marksOf(card!).length, 12);
});

Deno.test("services with the same cause that isn't active any more are one card", async () => {
  const html = await overviewOf({
    a: outage("router", "21T08:00", "end: 2026-11-21T09:00:00Z\n"),
    b: outage("shop", "21T08:01", "cause: a\nerror: x\n"),
    c: outage("blog", "21T08:30", "cause: a\nerror: y\n"),
  });
  assertEquals(cardsOf(html).map(wordsOf), [
    "2 services are downNo update yetDown for 2 hr 4 min · since 08:01 UTC · Shop, BlogCaused by Router was down",
  ]);
});

Deno.test("recent days repeat no active incident, and quiet ones are joined", async () => {
  const html = await overviewOf({
    a: outage("shop", "21T09:00"),
    b: outage("blog", "17T09:00", "end: 2026-11-17T09:30:00Z\nerror: refused\n"),
    c: outage("wiki", "17T09:01", "end: 2026-11-17T09:31:00Z\nerror: refused\n"),
    d: outage("wiki", "11T09:00", "end: 2026-11-11T09:30:00Z\n"),
  });
  assertEquals(elementsOf(html, "h2").map(wordsOf).slice(-1), ["Recent incidents"]);
  const days = elementsOf(html, ".day").map((day) => wordsOf(day).replaceAll("\u2009", " "));
  assertEquals(days, [
    "Today1 active incident, shown above",
    "Nov 18 – 20No incidents in 3 days",
    "Nov 172 services were down09:00 UTC – 09:31 UTC · 30 min · Blog, Wiki",
    "Nov 12 – 16No incidents in 5 days",
    "Nov 11Wiki was down09:00 UTC – 09:30 UTC · 30 min",
    "Nov 8 – 10No data",
  ]);
});

Deno.test("of many incidents of a day the first ones are shown, and a link leads to the others", async () => {
  const html = await overviewOf(
    Object.fromEntries(
      Array.from({ length: 5 }, (_, index) => {
        const end = `end: 2026-11-20T0${index}:09:00.000Z\n`;
        return [`x${index}`, outage("shop", `20T0${index}:00`, end)];
      }),
    ),
  );
  const [, day] = elementsOf(html, ".day");
  assertEquals(elementsOf(day!, ".title").length, 3);
  const more = elementsOf(day!, "a").at(-1)!;
  assertEquals([more.attribs["href"], wordsOf(more)], [
    "incidents/2026-11/index.html#2026-11-20",
    "and 2 more",
  ]);
});

Deno.test("an update on a card is text without its Markdown", async () => {
  const payments = cardsOf(await overviewIn("partial outage")).map(wordsOf)
    .find((text) => text.startsWith("Payments is down"));
  assertMatch(payments!, /They have mended it; 503 is gone\. 09:05 UTC/);
  assert(payments!.includes("2 earlier updates"), payments);
});
