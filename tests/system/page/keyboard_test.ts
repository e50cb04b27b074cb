import { assert, assertEquals } from "@std/assert";
import { browserTest, endBrowserAfterAll, faultsOf, openTab } from "../../helpers/browser.ts";
import { eventually } from "../../helpers/eventually.ts";
import { filesOf, servePage, someOfEachKind } from "../../helpers/page_files.ts";
import { type WorldName, worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";

endBrowserAfterAll();

/** Marks whatever Tab has to reach, in the order of the document; of radio buttons the chosen one. */
const MARK =
  `[...document.querySelectorAll("a[href]:not([tabindex]), button, input, summary, [tabindex='0']")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && (one.type !== "radio" || one.checked))
  .map((one, index) => (one.dataset.stop = index, one.outerHTML.slice(0, 80)))`;

/** The focused element: its mark, and if its focus and itself are visible. */
const FOCUSED = `(() => {
  const one = document.activeElement;
  const isSeen = (style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 ||
    style.boxShadow !== "none";
  const shown = [one, one.nextElementSibling].filter(Boolean).map((each) => getComputedStyle(each));
  const { top, bottom, left, right } = one.getBoundingClientRect();
  return {
    stop: one.dataset?.stop,
    what: one.outerHTML.slice(0, 80),
    isSeen: one.type === "radio" ? shown.some(isSeen) : isSeen(shown[0]),
    isInView: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
  };
})()`;

interface Focused {
  stop?: string;
  what: string;
  isSeen: boolean;
  isInView: boolean;
}

browserTest(
  "Tab reaches everything on every kind of page in order, with a visible focus",
  async () => {
    await using tab = await openTab({ scripts: false, width: 768 });
    const faults = new Map<string, string[]>();
    for (const name of ["partial outage", "maintenance", "arabic"] as const) {
      const files = filesOf(await worldView(name));
      await using server = servePage(files);
      const isWhole = name === "partial outage";
      for (const path of isWhole ? someOfEachKind(files, 1) : ["index.html"]) {
        await tab.goto(`${server.url}/${path}`);
        const stops = await tab.evaluate<string[]>(MARK);
        const own: string[] = [];
        for (const [index, stop] of stops.entries()) {
          await tab.keyboard.press("Tab");
          const focused = await tab.evaluate<Focused>(FOCUSED);
          if (focused.stop !== String(index)) own.push(`${focused.what} instead of ${stop}`);
          if (!focused.isSeen) own.push(`unseen focus: ${focused.what}`);
          if (!focused.isInView) own.push(`out of view: ${focused.what}`);
          if (own.length > 5) break;
        }
        if (own.length > 0) faults.set(`${name}: ${path}`, own);
      }
    }
    assertEquals(Object.fromEntries(faults), {});
  },
);

browserTest(
  "the keyboard skips to the content and opens details, without scripts",
  async () => {
    await using server = servePage(filesOf(await worldView("20 sites")));
    await using tab = await openTab({ scripts: false });
    await tab.goto(server.url);
    await tab.keyboard.press("Tab");
    await tab.keyboard.press("Enter");
    await tab.waitForURL(({ hash }) => hash === "#content");
    await tab.keyboard.press("Tab");
    await tab.locator("main :focus").waitFor();

    await tab.locator("#g-payments > summary").focus();
    await tab.keyboard.press("Enter");
    await tab.locator("#g-payments:not([open]) > summary:focus").waitFor();
    assertEquals(await tab.locator(".find, .windows, .chips").locator("visible=true").count(), 0);
  },
);

/** Opens the overview of a world, some minutes after its report. */
async function openOverview(name: WorldName) {
  const server = servePage(filesOf(await worldView(name)));
  const tab = await openTab();
  const faults = faultsOf(tab, server.url);
  await tab.clock.setFixedTime(REPORT_TIME.add({ minutes: 6 }).epochMilliseconds);
  await tab.goto(server.url);
  return {
    tab,
    faults,
    async [Symbol.asyncDispose]() {
      await tab[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

browserTest("keys read the days of a site, and follow the links of a card", async () => {
  await using page = await openOverview("20 sites");
  const { tab } = page;
  const strip = tab.locator('[data-slug="service-4"] .strip');
  const card = tab.locator(".tip");
  const value = async () => [
    await strip.getAttribute("aria-valuenow"),
    await strip.getAttribute("aria-valuetext"),
  ];
  const attributes = ["role", "aria-readonly", "aria-valuemin", "aria-valuemax", "aria-label"];
  assertEquals(
    await Promise.all(attributes.map((name) => strip.getAttribute(name))),
    ["slider", "true", "0", "89", "Service 4 90 days"],
  );
  const today = ["89", "November 21, 100% uptime, No incidents"];
  assertEquals(await value(), today);
  await tab.locator('[data-slug="service-4"] .name').focus();
  await tab.keyboard.press("Tab");
  await card.waitFor();
  const failed = ["49", "October 12, 99.31% uptime, Down for 10 min Service 4 was down"];
  const steps: Record<string, string[]> = {
    ArrowLeft: ["88", "November 20, 100% uptime, No incidents"],
    ArrowRight: today,
    PageUp: failed,
    Home: ["0", "August 24, 100% uptime, No incidents"],
    PageDown: failed,
    End: today,
  };
  for (const [key, expected] of Object.entries(steps)) {
    await tab.keyboard.press(key);
    assertEquals(await value(), expected, key);
    assertEquals(
      (await card.innerText()).replaceAll(/\s+/g, " "),
      expected[1]!.replaceAll(",", ""),
      key,
    );
  }
  await tab.keyboard.press("ArrowRight");
  assertEquals(await value(), today, "the last day is the end");
  await tab.keyboard.press("Escape");
  assertEquals(await card.count(), 0);
  assertEquals(await strip.evaluate((one) => one.matches(":focus")), true);
  await tab.keyboard.press("PageUp");
  await tab.keyboard.press("Tab");
  assertEquals(await tab.locator(".tip a:focus").innerText(), "Service 4 was down");
  await tab.keyboard.press("Escape");
  await tab.locator('[data-slug="service-4"] .strip:focus').waitFor();
  await tab.keyboard.press("PageUp");
  await tab.keyboard.press("Tab");
  await tab.keyboard.press("Enter");
  await tab.waitForURL(({ pathname }) => pathname.startsWith("/incident/"));
  assertEquals(page.faults, []);
});

browserTest("keys filter services, and choose their groups and periods", async () => {
  await using page = await openOverview("20 sites");
  const { tab } = page;
  const shown = () => tab.locator(".site:visible .called").allInnerTexts();
  const expectShown = (...names: string[]) =>
    eventually(async () => assertEquals((await shown()).map((name) => name.trim()), names));
  const group = tab.locator("#g-payments");
  await group.locator("summary").focus();
  await tab.keyboard.press("Enter");
  await eventually(async () => assertEquals(await group.getAttribute("open"), null));
  await tab.keyboard.press("/");
  await tab.locator(".find:focus").waitFor();
  await tab.keyboard.type("SERVICE  7");
  await expectShown("Service 7", "Service 17");
  assertEquals(await tab.locator(".found").innerText(), "2 of 20 services");
  await tab.waitForURL(({ search }) => search === "?q=SERVICE++7");
  await tab.reload();
  await expectShown("Service 7", "Service 17");
  await tab.locator(".find").focus();
  await tab.keyboard.type("x");
  await expectShown();
  assertEquals(await tab.locator(".found").innerText(), 'No service is called "SERVICE 7x". Clear');
  await tab.keyboard.press("Tab");
  await tab.locator(".windows :focus").waitFor();
  await tab.keyboard.press("Tab");
  await tab.locator(".found button:focus").waitFor();
  await tab.keyboard.press("Enter");
  await eventually(async () => assertEquals((await shown()).length, 20));
  await tab.locator(".find:focus").waitFor();
  assertEquals(new URL(tab.url()).search, "");
  await tab.keyboard.type("inside");
  await expectShown("Service 13", "Service 14", "Service 15", "Service 16");
  await tab.locator("#g-inside summary").focus();
  await tab.keyboard.press("Enter");
  await expectShown();
  await tab.locator("h1").click();
  await expectShown();
  await tab.locator(".find").focus();
  await tab.keyboard.press("Escape");
  await eventually(async () => assertEquals((await shown()).length, 20));

  const strip = tab.locator('[data-slug="service-1"] .strip');
  await tab.locator("#w-quarter").focus();
  for (const [key, bars] of [["ArrowRight", 52], ["ArrowLeft", 90], ["ArrowLeft", 30]] as const) {
    await tab.keyboard.press(key);
    await eventually(async () =>
      assertEquals(await strip.getAttribute("aria-valuemax"), String(bars - 1))
    );
  }
  await tab.locator(".find").focus();
  await tab.keyboard.press("/");
  assertEquals(await tab.locator(".find").inputValue(), "/");
  assertEquals(page.faults, []);
});

browserTest("the card of a day stays in the window and under the pointer", async () => {
  await using page = await openOverview("20 sites");
  const { tab } = page;
  const card = tab.locator(".tip");
  for (const width of [1280, 360]) {
    await tab.setViewportSize({ width, height: 640 });
    for (const [slug, part] of [["service-2", 0], ["service-2", 1], ["service-20", 0.5]] as const) {
      const strip = tab.locator(`[data-slug="${slug}"] .strip`);
      await strip.scrollIntoViewIfNeeded();
      const box = (await strip.boundingBox())!;
      await tab.mouse.move(box.x + part * (box.width - 1), box.y + box.height / 2);
      await card.waitFor();
      const own = (await card.boundingBox())!;
      const inside = own.x >= 0 && own.y >= 0 && own.x + own.width <= width &&
        own.y + own.height <= 640;
      assert(inside, `${slug} ${part} ${width} ${JSON.stringify(own)}`);
      // Over the space between bars and card, onto the card.
      const x = Math.max(
        own.x + 2,
        Math.min(box.x + part * (box.width - 1), own.x + own.width - 2),
      );
      await tab.mouse.move(x, own.y + own.height / 2, { steps: 20 });
      assertEquals(await card.count(), 1, `${slug} ${part} ${width}`);
      await tab.mouse.move(1, 1);
      assertEquals(await card.count(), 0);
    }
  }
  assertEquals(page.faults, []);
});

browserTest(
  "the points of a chart are read by keys, as the table of the chart has them",
  async () => {
    await using server = servePage(filesOf(await worldView("busy weeks")));
    await using tab = await openTab({ width: 1280 });
    await tab.goto(`${server.url}/history/cards/index.html`);
    const chart = tab.locator(".w-quarter .reader");
    const readings: string[] = [];
    await chart.focus();
    for (const key of ["End", "ArrowLeft", "PageUp", "Home", "ArrowRight"]) {
      await tab.keyboard.press(key);
      readings.push(await chart.getAttribute("aria-valuetext") ?? "");
    }
    const rows: string[] = await tab.evaluate(
      `[...document.querySelectorAll(".w-quarter tbody tr")].map((row) =>
      [...row.cells].map((cell) => cell.textContent).join())`,
    );
    const outage = rows.findIndex((row) => row.includes("Down"));
    assertEquals(
      readings.map((text) => text.replaceAll(/, (?:Median|p95|Slowest|Checks) /g, ",")),
      [rows.length - 1, rows.length - 2, outage, 0, 1].map((index) =>
        rows[index]!.replace(/ (Down)/, ", $1")
      ),
    );
    await tab.keyboard.press("PageDown");
    await tab.locator(".area > .tip a[href*='2026-09-18-cards']").waitFor();
    await tab.keyboard.press("Tab");
    await tab.keyboard.press("Enter");
    await tab.waitForURL(({ pathname }) => pathname.includes("/incident/2026-09-18-cards"));
  },
);

browserTest(
  "a chart is read by the pointer, over an outage as well, and Escape closes the card",
  async () => {
    await using server = servePage(filesOf(await worldView("busy weeks")));
    await using tab = await openTab({ width: 1280 });
    await tab.goto(`${server.url}/history/cards/index.html`);
    const links = tab.locator(".w-quarter .outages a");
    assertEquals(await links.count(), 2);
    await links.first().hover();
    const card = tab.locator(".area > .tip");
    await card.getByText("September 18, 2026").waitFor();
    const chart = tab.locator(".w-quarter .reader");
    await chart.hover({ position: { x: 5, y: 100 } });
    await card.getByText("August 24, 2026").waitFor();
    await tab.keyboard.press("Escape");
    await card.waitFor({ state: "detached" });
    await links.first().click();
    await tab.waitForURL(({ pathname }) => pathname.includes("/incident/2026-09-18-cards"));
  },
);
