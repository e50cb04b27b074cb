import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import axe from "axe-core";
import { browserTest, endBrowserAfterAll, faultsOf, openTab } from "../../helpers/browser.ts";
import { eventually } from "../../helpers/eventually.ts";
import { filesOf, servePage } from "../../helpers/page_files.ts";
import { type WorldName, worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";

endBrowserAfterAll();

const ADDRESS = "https://status.acme.example";

/** A published page of a public repository, and a tab on one of its pages. */
async function open(
  name: WorldName,
  path: string,
  options: Parameters<typeof openTab>[0] & { subscribe?: boolean } = {},
) {
  const view = await worldView(name);
  const settings = {
    ...view.settings,
    address: ADDRESS,
    watched: "https://github.com/acme/status",
  };
  const server = servePage(filesOf({ ...view, settings }));
  const tab = await openTab(options);
  const faults = faultsOf(tab, server.url);
  await tab.clock.setFixedTime(REPORT_TIME.add({ minutes: 6 }).epochMilliseconds);
  await tab.goto(`${server.url}/${path}`);
  return {
    ...{ tab, faults, url: server.url },
    dialog: tab.locator("dialog"),
    button: tab.locator("header .subscribe"),
    async [Symbol.asyncDispose]() {
      await tab[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The rows that are seen, as `title: buttons and links`. */
async function rowsOf(tab: Page, place: string): Promise<string[]> {
  return await tab.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(`${place} .ways > li`)})]
      .filter((row) => row.checkVisibility())
      .map((row) => row.querySelector("h3").textContent + ": " + [...row.querySelectorAll("a,code")]
        .map((one) => one.href?.replace(location.origin, "") ?? one.textContent).join(" "))`,
  );
}

const ALL = [
  "Feed: /feed.xml /rss.xml /feed.json",
  `Slack: /feed subscribe ${ADDRESS}/rss.xml`,
  "Mail: https://github.com/acme/status",
  "Calendar: webcal://status.acme.example/maintenance.ics /maintenance.ics",
];
const ofPart = (folder: string) => [
  `Feed: /${folder}/feed.xml /${folder}/rss.xml /${folder}/feed.json`,
  `Slack: /feed subscribe ${ADDRESS}/${folder}/rss.xml`,
  `Calendar: webcal://status.acme.example/${folder}/maintenance.ics /${folder}/maintenance.ics`,
];

browserTest("the dialog has what subscribes to the page's sites and to all of them", async () => {
  const pages: Record<string, string[]> = {
    "": ALL,
    "incidents/": ALL,
    "history/service-7/": [...ofPart("history/service-7"), ...ALL],
    "group/payments/": [...ofPart("group/payments"), ...ALL],
  };
  for (const [path, rows] of Object.entries(pages)) {
    await using page = await open("20 sites", path);
    await page.button.click();
    await page.dialog.waitFor();
    assertEquals(await rowsOf(page.tab, "dialog"), rows, path);
    assertEquals([page.tab.url(), page.faults], [`${page.url}/${path}`, []]);
  }
});

browserTest("keys open and close the dialog, and the focus returns to the button", async () => {
  await using page = await open("20 sites", "");
  const { tab, button, dialog } = page;
  const isClosed = async () => {
    await dialog.waitFor({ state: "detached" });
    await tab.locator("header .subscribe:focus").waitFor();
  };
  await button.focus();
  await tab.keyboard.press("Enter");
  await tab.getByRole("dialog", { name: "Subscribe" }).waitFor();
  await tab.locator("dialog:focus").waitFor();
  await tab.keyboard.press("Escape");
  await isClosed();
  await tab.keyboard.press("Enter");
  await tab.locator("dialog:focus").waitFor();
  await tab.keyboard.press("Tab");
  await tab.locator("dialog .ways a:focus").first().waitFor();
  await tab.locator("dialog .close").focus();
  await tab.keyboard.press("Enter");
  await isClosed();
  await button.click();
  const box = (await dialog.boundingBox())!;
  await tab.locator("dialog h1").click();
  // Text that is selected to beyond the edge closes nothing.
  await tab.mouse.down();
  await tab.mouse.move(box.x - 20, box.y + 20);
  await tab.mouse.up();
  assertEquals(await dialog.count(), 1);
  await tab.mouse.click(box.x - 20, box.y + 20);
  await isClosed();
  assertEquals(page.faults, []);
});

browserTest("the address for Slack is copied, or selected where that is forbidden", async () => {
  await using page = await open("20 sites", "");
  const { tab, button, dialog } = page;
  await tab.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await button.click();
  const copy = dialog.getByRole("button", { name: "Copy", exact: true });
  await copy.click();
  await dialog.getByRole("button", { name: "Copied" }).waitFor();
  const command = `/feed subscribe ${ADDRESS}/rss.xml`;
  assertEquals(await tab.evaluate("navigator.clipboard.readText()"), command);
  await copy.waitFor();
  await tab.evaluate("navigator.clipboard.writeText = () => Promise.reject()");
  await copy.click();
  await eventually(async () => assertEquals(await tab.evaluate("`${getSelection()}`"), command));
  assertEquals(page.faults, []);
});

browserTest("the page stays as it is while the dialog is open", async () => {
  const view = await worldView("all up");
  const files = filesOf(view);
  await using server = servePage(files);
  await using tab = await openTab();
  await tab.clock.install({ time: REPORT_TIME.add({ minutes: 1 }).epochMilliseconds });
  await tab.goto(server.url);
  await tab.waitForLoadState("networkidle");
  await tab.locator("header .subscribe").click();
  await tab.locator("dialog").waitFor();
  for (const [path, content] of filesOf(await worldView("everything down"))) {
    files.set(path, content);
  }
  const headline = tab.locator("h1 .word");
  const asked = tab.waitForResponse((answer) => answer.url().endsWith("build.json"));
  await tab.clock.fastForward("01:01");
  await asked;
  assertEquals(await headline.innerText(), "All systems operational");
  assertEquals(await tab.locator("dialog").count(), 1);
  await tab.keyboard.press("Escape");
  await tab.clock.fastForward("01:01");
  await tab.getByText("Major outage").waitFor();
});

browserTest("without scripts, the button leads to a page with the same content", async () => {
  await using page = await open("20 sites", "history/service-7/", { scripts: false });
  const { tab, button } = page;
  await button.click();
  await tab.waitForURL(/\/subscribe\/index\.html#history\/service-7$/);
  await tab.locator("[id='history/service-7']").waitFor();
  assertEquals(await rowsOf(tab, "main"), [...ALL, ...ofPart("history/service-7")]);
  assertEquals(await tab.getByRole("button", { name: "Copy" }).count(), 0);
  assertEquals(await tab.locator("dialog").count(), 0);
});

browserTest("the button leads to the page if it can't open a dialog, or with a key", async () => {
  await using page = await open("20 sites", "");
  const { tab, button } = page;
  await tab.route(/more\.js/, (route) => route.abort());
  await button.click();
  await tab.waitForURL(/\/subscribe\/index\.html$/);
  await tab.goBack();
  const opened = tab.context().waitForEvent("page");
  await button.click({ modifiers: ["Control"] });
  assert((await opened).url().endsWith("/subscribe/index.html"));
  assertEquals(await page.dialog.count(), 0);
});

browserTest(
  "axe finds nothing in the dialog, light and dark, and it fits into small windows",
  async () => {
    const found = new Map<string, string[]>();
    for (const name of ["20 sites", "long texts", "arabic"] as const) {
      await using page = await open(name, "");
      const { tab, button, dialog } = page;
      await tab.evaluate(axe.source);
      for (const width of [1280, 360]) {
        await tab.setViewportSize({ width, height: 740 });
        await button.click();
        await dialog.waitFor();
        const opened =
          "for (const one of document.querySelectorAll('dialog details')) one.open = true";
        await tab.evaluate(opened);
        for (const theme of ["light", "dark"]) {
          await tab.evaluate(`document.documentElement.dataset.theme = "${theme}"`);
          const faults: string[] = await tab.evaluate(
            `axe.run("dialog", { resultTypes: ["violations"] }).then(({ violations }) =>
            violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`,
          );
          if (faults.length > 0) found.set(`${name} ${width} ${theme}`, faults);
        }
        const box = (await dialog.boundingBox())!;
        const room: number = await tab.evaluate(
          "document.querySelector('dialog').scrollWidth - document.querySelector('dialog').clientWidth",
        );
        const isInside = box.x >= 16 && box.x + box.width <= width - 16 && box.width <= 480;
        const close = (await dialog.locator(".close").boundingBox())!;
        const isInReach = close.y + close.height <= box.y + box.height;
        if (!isInside || !isInReach || room > 0) {
          found.set(`${name} ${width}`, [JSON.stringify({ box, close, room })]);
        }
        await tab.keyboard.press("Escape");
      }
    }
    assertEquals(Object.fromEntries(found), {});
  },
);

browserTest("the style sheet of the dialog changes nothing on the overview", async () => {
  for (const name of ["partial outage", "maintenance", "20 sites"] as const) {
    await using page = await open(name, "", { width: 768 });
    const { tab, button, dialog } = page;
    const boxes = () =>
      tab.evaluate<string>(
        `[...document.body.querySelectorAll(":scope > :not(dialog), :scope > :not(dialog) *")].map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          const { color, backgroundColor, fontSize } = getComputedStyle(one);
          return [one.outerHTML.slice(0, 60), x, y, width, height, color, backgroundColor, fontSize].join();
        }).join("\\n")`,
      );
    await tab.waitForLoadState("networkidle");
    const before = await boxes();
    await button.click();
    await dialog.waitFor();
    await tab.keyboard.press("Escape");
    await tab.evaluate("document.activeElement.blur()");
    await tab.mouse.move(1, 1);
    assertEquals(await boxes(), before, name);
  }
});
