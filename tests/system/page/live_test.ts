import { assert, assertEquals, assertMatch } from "@std/assert";
import { PAGE_PATHS } from "../../../lib/config/page_path.ts";
import { combineStates, OVERALL_STATES } from "../../../lib/page/overall.ts";
import { type State, STATES } from "../../../lib/state.ts";
import { browserTest, endBrowserAfterAll } from "../../helpers/browser.ts";
import type { View } from "../../../templates/pages/view.ts";
import { filesOf, textOf } from "../../helpers/page_files.ts";
import { viewOf } from "../../helpers/page_world.ts";
import { type WorldName, worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";
import { seededRandom } from "../../helpers/seeded_random.ts";
import { type WatchedPage, watchPage } from "../../helpers/watched_page.ts";

endBrowserAfterAll();

/** The keys of a summary that the script reads. */
interface Entry {
  slug: string;
  state?: string;
  lastUpdated?: string;
  paused?: boolean;
  incident?: string;
}

/** The time of a check, some minutes after the report. */
function later(minutes: number): string {
  return REPORT_TIME.add({ minutes }).toString({ smallestUnit: "millisecond" });
}

/** A summary of some minutes later, in which all sites are up and no incident is ongoing. */
function recovered(text: string | undefined, minutesLater: number): string {
  const lastUpdated = later(minutesLater);
  return JSON.stringify(
    entriesOf(text).map((one) => ({ ...one, state: "up", lastUpdated, incident: undefined })),
  );
}

function entriesOf(text: string | undefined): Entry[] {
  return JSON.parse(text ?? "[]");
}

browserTest(
  "times are in the visitor's zone, recent ones are relative, and the original stays readable",
  async () => {
    await using page = await watchPage(await worldView("all up"), 3, "America/New_York");
    assertMatch(await page.text(".times time"), /^3 minutes ago$/);
    assertEquals(
      await page.tab.locator(".times time").first().getAttribute("title"),
      "Nov 21, 2026, 10:05 UTC",
    );
    await page.pass(90);
    assertMatch(await page.text(".times time"), /^Nov 21, 05:05 EST$/);
    assertEquals(page.faults, []);
  },
);

browserTest("a time is shown without its day if the day precedes it", async () => {
  const view = await worldView("partial outage");
  const shown = async (timezone: string) => {
    await using page = await watchPage(view, 3, timezone);
    return await page.tab.locator(".day .rows > li").last().locator("time").allInnerTexts();
  };
  assertEquals((await shown("UTC")).map(plain), ["02:05", "02:40 UTC"]);
  assertEquals((await shown("America/New_York")).map(plain), ["Nov 17, 21:05", "21:40 EST"]);
});

/** With spaces that are nothing but spaces. */
function plain(text: string): string {
  return text.replace(/\s/g, " ");
}

browserTest("what has ended by a newer summary is nowhere shown as ongoing", async () => {
  await using page = await watchPage(await worldView("partial outage"));
  const { tab } = page;
  const isShown = (what: string) => tab.locator(what).first().isVisible();
  assert(await isShown(".active"));
  page.answer = recovered(page.answer, 4);
  await page.pass(1);
  assertEquals((await page.text("h1")).trim(), "All systems operational");
  assertMatch(await page.text(".times"), /^Last checked this minute ·\schecked every 5 minutes$/);
  assertEquals(await page.text(".line"), "7 services.");
  assertEquals(await tab.title(), "Acme status");
  assertEquals(
    await tab.locator(".times time").first().getAttribute("title"),
    "Nov 21, 2026, 10:09 UTC",
  );
  assertEquals(await isShown(".active"), false);
  assertEquals(await isShown(".above"), false);
  assertEquals(page.faults, []);
});

browserTest(
  "a card names the services that are left, until the last of them has recovered",
  async () => {
    await using page = await watchPage(await worldView("one cause"));
    const { tab } = page;
    const good = page.answer;
    const cards = async () => {
      const titles = await tab.locator(".active .title:visible").allInnerTexts();
      return [titles, await tab.locator(".active [data-incident].gone").allInnerTexts()];
    };
    const recover = async (slugs: readonly string[], minutesLater: number) => {
      const fresh = entriesOf(recovered(good, minutesLater));
      page.answer = JSON.stringify(
        entriesOf(good).map((one) =>
          slugs.includes(one.slug) ? fresh.find(({ slug }) => slug === one.slug) : one
        ),
      );
      await page.pass(1);
    };
    const titles = ["Router is down", "2 services are down"];
    assertEquals(await cards(), [titles, []]);
    await recover(["router", "letters"], 4);
    assertEquals(await cards(), [
      ["2 services are down", "Parcels is down"],
      ["Router", "Letters"],
    ]);
    assertMatch(await page.text(".active .muted"), /^Down for 2 hr 4 min ·\s/);
    assertEquals(await page.text(".above"), "2 active incidents, shown above");
    await recover(["letters", "parcels"], 5);
    assertEquals(await cards(), [titles.slice(0, 1), ["Letters", "Parcels"]]);
    assertEquals(await page.text(".above"), "1 active incident, shown above");
    await recover(["router", "letters", "parcels", "shop", "checkout"], 6);
    assertEquals(await tab.locator(".active").isVisible(), false);
    assertEquals(page.faults, []);
  },
);

browserTest("folded cards are counted anew as their incidents end", async () => {
  const sites = Array.from({ length: 7 }, (_, index) => ({
    keys: { name: `Service ${index}`, url: "https://example.com/" },
    past: { troubles: [{ hoursAgo: 1 + index, error: `refused by ${index}` }] },
  }));
  await using page = await watchPage(await viewOf({ sites }));
  const fold = page.tab.locator(".active > .fold");
  const good = page.answer;
  const without = async (slugs: readonly string[], minutesLater: number) => {
    const fresh = entriesOf(recovered(good, minutesLater));
    page.answer = JSON.stringify(
      entriesOf(good).map((one, index) => slugs.includes(one.slug) ? fresh[index] : one),
    );
    await page.pass(1);
    return await fold.isVisible() ? await fold.innerText() : "";
  };
  assertEquals(await fold.innerText(), "2 more active incidents");
  assertEquals(await without(["service-5"], 4), "1 more active incident");
  assertEquals(await without(["service-5", "service-6"], 5), "");
  assertEquals(await without(["service-0"], 6), "2 more active incidents");
  assertEquals(page.faults, []);
});

browserTest("manual incidents stay until people close them", async () => {
  await using page = await watchPage(await worldView("past"));
  page.answer = recovered(page.answer, 4);
  await page.pass(1);
  assertEquals(await page.text(".active .title"), "Letters are late");
  assertEquals(await page.text(".active .pill"), "Investigating");
});

browserTest("the page of a site is updated too", async () => {
  await using page = await watchPage(
    await worldView("partial outage"),
    3,
    "UTC",
    "history/payments/",
  );
  const { tab } = page;
  assertMatch(await page.text(".hero"), /^Payments is down\s+For 1 hr 30 min, since/);
  page.answer = recovered(page.answer, 4);
  await page.pass(1);
  assertMatch(plain(await page.text(".hero")), /^Payments is operational\s+Last checked/);
  assertEquals(await tab.locator(".hero").getAttribute("class"), "hero up");
  assertEquals(await tab.locator(".active").isVisible(), false);
  assertEquals(await page.text(".live"), "Payments is operational.");
  assertEquals(page.faults, []);
});

browserTest("the page of a group is updated too", async () => {
  await using page = await watchPage(await worldView("partial outage"), 3, "UTC", "group/other/");
  assertMatch(plain(await page.text(".hero h1")), /^Other services Major outage$/);
  const one = JSON.stringify(entriesOf(page.answer).filter(({ slug }) => slug === "checkout"));
  page.answer = recovered(one, 4);
  await page.pass(1);
  assertMatch(plain(await page.text(".hero h1")), /^Other services Partial outage$/);
  assertMatch(plain(await page.text('[data-slug="checkout"]')), /Operational/);
  page.answer = recovered(JSON.stringify(["payments", "search"].map((slug) => ({ slug }))), 5);
  await page.pass(1);
  assertMatch(plain(await page.text(".hero h1")), /^Other services All systems operational$/);
  assertEquals(page.faults, []);
});

browserTest("the states of a site's locations are updated too", async () => {
  await using page = await watchPage(await worldView("locations"), 3, "UTC", "history/shop/");
  const row = async (name: string) =>
    plain(await page.text(`.locations tr:has-text("${name}")`)).replace(/ +/g, " ");
  assertMatch(await row("São Paulo"), /^São Paulo Down .* connection refused/);
  const locations = { "São Paulo": "up", Virginia: "degraded", Sydney: "rubbish" };
  page.answer = JSON.stringify(
    entriesOf(recovered(page.answer, 4)).map((one) => ({ ...one, locations })),
  );
  await page.pass(1);
  assertMatch(plain(await page.text(".hero")), /^Shop is operational/);
  assertMatch(await row("São Paulo"), /^São Paulo Operational [^A-Z]*$/);
  assertMatch(await row("Virginia"), /^Virginia Degraded /);
  assertMatch(await row("Sydney"), /^Sydney No data /);
  page.answer = recovered(page.answer, 5);
  await page.pass(1);
  assertMatch(await row("Virginia"), /^Virginia Degraded /);
  assertEquals(page.faults, []);
});

browserTest(
  "a change is announced although the file that announces a new build is missing",
  async () => {
    await using page = await watchPage(
      await worldView("partial outage"),
      3,
      "UTC",
      "history/payments/",
    );
    await page.tab.route(`**/${PAGE_PATHS.build}`, (route) => route.abort("internetdisconnected"));
    page.answer = recovered(page.answer, 4);
    await page.pass(1);
    assertEquals(await page.text(".live"), "Payments is operational.");
  },
);

browserTest("a summary without sites or with invalid times ends nothing", async () => {
  await using page = await watchPage(await worldView("partial outage"));
  const good = page.answer;
  for (const lastUpdated of [undefined, "zTz", "2026-11-21T99:00"]) {
    page.answer = JSON.stringify(lastUpdated === undefined ? [] : [{ slug: "shop", lastUpdated }]);
    await page.pass(1);
    assertEquals((await page.text("h1")).trim(), "Partial outage");
    assertEquals(await page.tab.locator(".active .incident:visible").count(), 3);
  }
  const alone = entriesOf(recovered(good, 6)).filter(({ slug }) => slug === "search");
  page.answer = JSON.stringify(alone);
  await page.pass(1);
  assertEquals(await page.tab.locator(".active .incident:visible").count(), 2);
  page.answer = recovered(good, 7);
  await page.pass(1);
  assertEquals((await page.text("h1")).trim(), "All systems operational");
  assertEquals(page.faults, []);
});

browserTest("a page with stopped checks is updated when they resume", async () => {
  await using page = await watchPage(await worldView("silent"));
  assertEquals((await page.text(".site .word")).trim(), "No data");
  page.answer = recovered(page.answer, 4);
  await page.pass(1);
  assertEquals((await page.text("h1")).trim(), "All systems operational");
  assertEquals((await page.text(".site .word")).trim(), "Operational");
  assertMatch(await page.text(".live"), /^Website: Operational\. /);
});

browserTest(
  "an invalid state changes nothing, nor does anything on a page without sites",
  async () => {
    await using page = await watchPage(await worldView("all up"));
    const lastUpdated = "2026-11-21T10:09:00.000Z";
    const odd = ["constructor", "__proto__", "hasOwnProperty", 7, null];
    page.answer = JSON.stringify(
      entriesOf(page.answer).map((one, index) => ({ ...one, state: odd[index], lastUpdated })),
    );
    await page.pass(1);
    assertEquals((await page.text(".site .word")).trim(), "Operational");
    assertEquals(await page.text(".live"), "");
    await using empty = await watchPage(await worldView("nothing"));
    assertEquals((await empty.text("h1")).trim(), "Nothing is monitored yet");
  },
);

browserTest("a change is shown and announced, and moves nobody's focus", async () => {
  await using page = await watchPage(await worldView("all up"));
  const { tab } = page;
  await tab.locator(".name").nth(1).focus();
  const entries = entriesOf(page.answer);
  const lastUpdated = later(4);
  page.answer = JSON.stringify(
    entries.map((one) => one.slug === "shop" ? { ...one, state: "down", lastUpdated } : one),
  );
  await page.pass(1);
  const shop = tab.locator('[data-slug="shop"]');
  assertEquals((await shop.locator(".word").innerText()).trim(), "Down");
  assertEquals(await shop.locator("use").getAttribute("href"), "#s-down");
  assertEquals(await shop.locator(".name").getAttribute("class"), "name down");
  assertEquals(await shop.locator(".ms").innerText(), "–");
  assertEquals((await page.text("h1")).trim(), "Partial outage");
  assertEquals(await tab.locator("h1 use").getAttribute("href"), "#s-down");
  assertEquals(await page.text(".live"), "Shop: Down.");
  assertEquals(await page.text(".line"), "Shop is down. 3 of 4 services are operational.");
  assertEquals(await tab.title(), "Partial outage – Acme status");
  const focused = "document.activeElement.closest('[data-slug]').dataset.slug";
  assertEquals(await tab.evaluate(focused), "shop");
  assertEquals(page.faults, []);
});

/** A world, and a page of it that was built anew some minutes later. */
async function rebuilt(name: WorldName, minutesLater = 9): Promise<View> {
  return { ...await worldView(name), built: REPORT_TIME.add({ minutes: minutesLater }) };
}

/** Serves other files from now on, as after a new build. */
function publish(page: WatchedPage, view: View): void {
  for (const [path, content] of filesOf(view)) page.served.set(path, content);
  page.answer = textOf(page.served, PAGE_PATHS.summary);
}

/** What a visitor left as it is: focus, details, period, and where the focused element is in the window. */
const LEFT = `(() => {
  const focused = document.activeElement;
  return {
    focused: focused.closest("[data-slug]")?.dataset.slug + focused.localName,
    open: [...document.querySelectorAll("main details")].map((one) => one.open),
    period: document.querySelector(".windows :checked").id,
    top: Math.round(focused.getBoundingClientRect().top),
  };
})()`;

browserTest(
  "a rebuilt page keeps focus, open details, the period and what is in view",
  async () => {
    await using page = await watchPage(await worldView("20 sites"));
    const { tab } = page;
    await page.pass(1);
    await tab.locator("label:has(#w-week)").click();
    await tab.evaluate("settled()");
    await tab.locator("main details").nth(3).evaluate((one) => one.toggleAttribute("open"));
    await tab.locator('[data-slug="service-9"] .name').focus();
    await tab.evaluate("scrollBy(0, 60)");
    const before = await tab.evaluate<{ top: number }>(LEFT);
    publish(page, await rebuilt("20 sites"));
    await tab.evaluate("document.querySelector('main').dataset.old = ''");
    await page.pass(1);
    assertEquals(await tab.locator("main[data-old]").count(), 0);
    assertEquals(await tab.evaluate(LEFT), before);
    assertEquals(page.faults, []);
  },
);

browserTest("a filter stays, and so does what it had opened", async () => {
  await using page = await watchPage(await worldView("20 sites"));
  const { tab } = page;
  await page.pass(1);
  await tab.locator("#g-payments summary").click();
  await tab.locator(".find").fill("service 5");
  await tab.evaluate("settled()");
  const state = () =>
    tab.evaluate(`({
      shown: [...document.querySelectorAll(".site")].filter((one) => one.checkVisibility()).length,
      found: document.querySelector(".found").textContent,
      address: location.search,
      focused: document.activeElement.className,
      open: document.querySelector("#g-payments").open,
    })`);
  const expected = {
    shown: 2,
    found: "2 of 20 services",
    address: "?q=service+5",
    focused: "find",
    open: true,
  };
  assertEquals(await state(), expected);
  publish(page, await rebuilt("20 sites"));
  await tab.evaluate("document.querySelector('main').dataset.old = ''");
  await page.pass(1);
  assertEquals(await tab.locator("main[data-old]").count(), 0);
  assertEquals(await state(), expected);
  await tab.keyboard.press("Escape");
  assertEquals(await state(), { ...expected, shown: 16, found: "", address: "", open: false });
});

browserTest("a group that a visitor has closed stays so until the filter changes", async () => {
  await using page = await watchPage(await worldView("20 sites"));
  const { tab } = page;
  const isOpen = () => tab.evaluate(`document.querySelector("#g-payments").open`);
  await tab.locator(".find").fill("payments service");
  await tab.evaluate("settled()");
  await tab.locator("#g-payments summary").click();
  page.answer = JSON.stringify(
    entriesOf(page.answer).map((one) => ({ ...one, lastUpdated: later(4) })),
  );
  await page.pass(1);
  assertEquals(await isOpen(), false);
  await tab.locator(".find").fill("payments");
  await tab.evaluate("settled()");
  assertEquals(await isOpen(), true);
});

browserTest(
  "maintenance that is ahead says when it starts",
  async () => {
    await using page = await watchPage(await worldView("maintenance"));
    const pills = async () => await page.tab.locator(".incidents .pill").allInnerTexts();
    assertEquals(await pills(), ["Monitoring", "In 15 hr 55 min", "In 1 day 2 hr"]);
    await page.pass(60);
    page.answer = JSON.stringify(
      entriesOf(page.answer).map((one) => ({ ...one, lastUpdated: later(64) })),
    );
    await page.pass(1);
    assertEquals(await pills(), ["Monitoring", "In 14 hr 51 min", "In 1 day"]);
  },
);

browserTest("a card is gone while its service is under maintenance", async () => {
  await using page = await watchPage(await worldView("partial outage"));
  page.answer = JSON.stringify(
    entriesOf(page.answer).map((one) =>
      one.slug === "search" ? { ...one, state: "maintenance", lastUpdated: later(4) } : one
    ),
  );
  await page.pass(1);
  assertEquals(await page.tab.locator(".active .title:visible").allInnerTexts(), [
    "Payments is down",
    "Checkout is down",
  ]);
  assertMatch(await page.text(".line"), /are down, Search is under maintenance\. 4 of 7/);
});

browserTest("an open page has the same text as a new one, whatever happens", async () => {
  await using page = await watchPage(await worldView("all up"));
  await page.pass(1);
  const textOfTab = async ({ tab }: WatchedPage) => [
    await tab.title(),
    await tab.locator("main").innerText(),
    await tab.locator("footer.bottom").innerText(),
  ];
  const stories = ["partial outage", "all up", "maintenance", "past"] as const;
  for (const [turn, name] of stories.entries()) {
    const view = await rebuilt(name, 9 + turn);
    publish(page, view);
    await page.pass(1);
    await using fresh = await watchPage(view, 5 + turn);
    assertEquals(await textOfTab(page), await textOfTab(fresh), name);
  }
});

browserTest("what a new card moves stays in view", async () => {
  await using page = await watchPage(await worldView("all up"));
  const { tab } = page;
  await page.pass(1);
  await tab.setViewportSize({ width: 360, height: 400 });
  await tab.locator('[data-slug="mail"] .name').focus();
  const top = () => tab.evaluate<number>("document.activeElement.getBoundingClientRect().top");
  const before = await top();
  publish(page, await rebuilt("partial outage"));
  await page.pass(1);
  assertEquals(await tab.locator(".active .incident").count(), 3);
  assert(Math.abs(await top() - before) <= 1);
});

browserTest("a page is not replaced while somebody reads it", async () => {
  await using page = await watchPage(await worldView("all up"));
  const { tab } = page;
  await page.pass(1);
  publish(page, await rebuilt("partial outage"));
  const cards = () => tab.locator(".active .incident").count();
  await tab.evaluate(`getSelection().selectAllChildren(document.querySelector("footer"))`);
  await page.pass(2);
  assertEquals(await cards(), 0);
  await tab.evaluate("getSelection().removeAllRanges()");
  await tab.locator(".strip").first().hover();
  await tab.locator(".tip").waitFor();
  await page.pass(2);
  assertEquals(await cards(), 0);
  await tab.mouse.move(0, 0);
  await tab.evaluate(`
    document.body.append(document.createElement("dialog"));
    document.querySelector("dialog").showModal()`);
  await page.pass(2);
  assertEquals(await cards(), 0);
  await tab.evaluate(`document.querySelector("dialog").close()`);
  await page.pass(1);
  assertEquals(await cards(), 3);
});

browserTest("an announcement stays until the next change, and names new cards", async () => {
  await using page = await watchPage(await worldView("all up"));
  await page.pass(1);
  const said = () => page.text(".live");
  publish(page, await rebuilt("partial outage"));
  await page.pass(1);
  const cards = "Payments is down. Checkout is down. Search is degraded.";
  assertEquals(await said(), cards);
  page.answer = JSON.stringify(
    entriesOf(page.answer).map((one) => ({ ...one, lastUpdated: later(9) })),
  );
  await page.pass(5);
  assertEquals(await said(), cards);
  page.answer = recovered(page.answer, 14);
  await page.pass(1);
  assertEquals(await said(), "Payments: Operational. Checkout: Operational. Search: Operational.");
  await page.pass(5);
  assertEquals(await said(), "Payments: Operational. Checkout: Operational. Search: Operational.");
});

browserTest("the overall status equals that of a new page", async () => {
  const sites = Array.from(
    { length: 9 },
    (_, index) => ({ keys: { name: `S${index}` }, past: {} }),
  );
  const view = await viewOf({
    sites: sites.map(({ keys, past }) => ({
      keys: { url: "https://example.com/", ...keys },
      past,
    })),
  });
  await using page = await watchPage(view);
  const entries = entriesOf(page.answer);
  const random = seededRandom(7);
  for (let turn = 1; turn <= 12; turn++) {
    const kinds = STATES.filter(() => random() < 0.6);
    const pick = () => kinds[Math.floor(kinds.length * random())] ?? "up";
    const states = entries.map((): State => pick());
    const time = later(turn);
    page.answer = JSON.stringify(
      entries.map((one, index) => ({ ...one, state: states[index], lastUpdated: time })),
    );
    await page.pass(1);
    const overall = combineStates(states);
    const use = `document.querySelector("h1 use").getAttribute("href")`;
    const sentence = view.language.say(overall);
    assertEquals(await page.text("[data-overall] h1, h1"), sentence, states.join());
    assertEquals(await page.tab.evaluate(use), `#s-${OVERALL_STATES[overall]}`, states.join());
  }
});

browserTest(
  "a page says that checks have stopped: early if it has read later ones, else after a day",
  async () => {
    {
      await using page = await watchPage(await worldView("all up"));
      await page.pass(80);
      assertEquals(await page.text(".live"), "", "the summary is as old as the page");
      const lastUpdated = later(60);
      page.answer = JSON.stringify(entriesOf(page.answer).map((one) => ({ ...one, lastUpdated })));
      await page.pass(40);
      assertEquals(await page.text(".live"), "");
      await page.pass(20);
      assertMatch(
        await page.text(".live"),
        /^The monitor stopped reporting 1 hour ago\. The last check was on Nov 21, 11:05 UTC\. What/,
      );
    }
    const silent = { ...await worldView("all up") };
    const view = { ...silent, settings: { ...silent.settings, live: undefined } };
    {
      await using page = await watchPage(view, 25 * 60);
      assertEquals([await page.text(".live"), page.asked], ["", 0]);
    }
    {
      await using page = await watchPage(view, 27 * 60);
      assertMatch(await page.text(".live"), /^The monitor stopped reporting 27 hours ago\. /);
      assertEquals(page.faults, []);
    }
    await using page = await watchPage(await worldView("unchecked"), 99 * 60);
    assertEquals(await page.text(".live"), "");
  },
);

browserTest(
  "an unreadable or older summary leaves the page unchanged",
  async () => {
    await using page = await watchPage(await worldView("partial outage"));
    const before = await page.text("main");
    const entries = entriesOf(page.answer);
    const old = "2020-01-01T00:00:00.000Z";
    const answers = [
      "<!DOCTYPE html>",
      "",
      "{}",
      "null",
      "[null]",
      '[{"slug":7,"state":{},"lastUpdated":[]}]',
      JSON.stringify(entries.map((one) => ({ ...one, state: "down", lastUpdated: old }))),
      JSON.stringify(entries.map((one) => ({ ...one, state: "<b>odd</b>" }))),
      JSON.stringify(entries.map((one) => ({ ...one, state: "__proto__", paused: 1 }))),
    ];
    const plain = (text: string) => text.replaceAll(/\d+ minutes ago/g, "then");
    for (const answer of answers) {
      page.answer = answer;
      await page.pass(1);
      assertEquals(plain(await page.text("main")), plain(before), answer.slice(0, 80));
      assertEquals(await page.text(".live"), "", answer.slice(0, 80));
    }
    assertEquals(page.faults, []);
    page.answer = undefined;
    await page.pass(1);
    assertEquals(plain(await page.text("main")), plain(before));
    assert(page.faults.every((fault) => /^failed: |^console: Failed to load resource/.test(fault)));
  },
);

browserTest(
  "a summary is requested at most once a minute, and never by a hidden page",
  async () => {
    await using page = await watchPage(await worldView("all up"));
    assertEquals(page.asked, 1);
    const look = (isHidden: boolean) =>
      page.tab.evaluate(
        `Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
       for (let turn = 0; turn < 20; turn++) document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`,
      );
    await look(false);
    await page.pass(0.5);
    assertEquals(page.asked, 1);
    await look(true);
    await page.pass(10);
    assertEquals(page.asked, 1);
    await look(false);
    await page.pass(0.2);
    assertEquals(page.asked, 2);
    await page.pass(10);
    // The first tick comes too early after that.
    assertEquals(page.asked, 11);
  },
);
