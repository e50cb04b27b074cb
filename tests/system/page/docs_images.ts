/** Draws every picture of README and docs into `docs/images/`: pages, an issue, the terminal and badges. */
import { join } from "node:path";
import { delay } from "@std/async/delay";
import { renderBadge } from "../../../templates/graph/badge.ts";
import { issueBody, issueTitle } from "../../../templates/issue/issue.ts";
import { gfmToHtml } from "../../../templates/pages/markdown.tsx";
import { endBrowser, openTab } from "../../helpers/browser.ts";
import { openingOf, PHASES } from "../../helpers/incident_events.ts";
import { LANGUAGE } from "../../helpers/languages.ts";
import { filesOf, servePage } from "../../helpers/page_files.ts";
import { viewOf } from "../../helpers/page_world.ts";
import { listenTo } from "../../helpers/printed_lines.ts";
import { PROJECT, runTask } from "../../helpers/program.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";
import { git, makeRemote, makeScratch } from "../../helpers/scratch.ts";
import { httpServer } from "../../helpers/servers.ts";
import { siteOf } from "../../helpers/sites.ts";
import { writeHistory } from "../../helpers/written_history.ts";

const FOLDER = join(PROJECT, "docs", "images");
/** The sign of a title, which few machines without a desktop have a font for. */
const STOP_SIGN = `<svg width="26" height="26" viewBox="0 0 26 26" style="vertical-align:-3px">
  <path fill="#dd2e44" d="M8 1h10l7 7v10l-7 7H8l-7-7V8z"/></svg>`;
const FONTS = "system-ui, 'DejaVu Sans', sans-serif";

await drawPages();
await drawDemo();
await drawIssue();
await drawTerminal();
await drawBadges();
await endBrowser();

/** The overview of a page with one open incident, and the page of its site, light and dark. */
async function drawPages(): Promise<void> {
  const error = "answered 503 Service Unavailable";
  const past = (days: number, takes: number, ...hours: number[]) => ({
    days,
    takes,
    troubles: hours.map((hoursAgo) => ({ hoursAgo, minutes: 14 + hoursAgo % 40, error, issue: 7 })),
  });
  const site = (name: string, group: string) => ({
    name,
    group,
    url: `https://${name.toLowerCase().replaceAll(" ", "-")}.example.com/`,
  });
  const updates = [
    "Investigating: Some payments by card fail.",
    "Identified: Our bank's interface does not answer. Transfers work.",
  ];
  const view = await viewOf({
    sites: [
      { keys: site("Website", "Public"), past: past(200, 120, 700) },
      {
        keys: site("Shop", "Public"),
        past: {
          ...past(200, 180, 260, 1400),
          troubles: [
            { hoursAgo: 1.2, error, issue: 12, updates },
            ...past(1, 1, 260, 1400).troubles,
          ],
        },
      },
      { keys: site("Search", "Public"), past: past(120, 240, 90) },
      { keys: site("API", "Back end"), past: past(200, 60, 1000) },
      { keys: site("Database", "Back end"), past: past(200, 9) },
      { keys: site("Mail", "Back end"), past: past(60, 310, 420) },
    ],
  });
  await using server = servePage(filesOf(view));
  for (const theme of ["light", "dark"] as const) {
    await using tab = await openTab({ width: 1040, theme });
    await tab.clock.setFixedTime(REPORT_TIME.add({ minutes: 3 }).epochMilliseconds);
    for (
      const [name, path, height] of [["page", "", 980], ["site", "history/shop/", 1110]] as const
    ) {
      await tab.setViewportSize({ width: 1040, height });
      await tab.goto(`${server.url}/${path}`);
      await tab.screenshot({ path: join(FOLDER, `${name}-${theme}.png`) });
    }
  }
}

/** The page that the demo serves. */
async function drawDemo(): Promise<void> {
  const demo = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "demo", "--serve"],
    cwd: PROJECT,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const printed = listenTo(demo.stdout, demo.stderr);
  const [, address] = await printed.waitFor(/^Serving (http:\S+\/) /m);
  await using tab = await openTab({ width: 1040 });
  await tab.goto(address!);
  await tab.screenshot({ path: join(FOLDER, "demo.png"), fullPage: true });
  demo.kill("SIGINT");
  await demo.status;
}

/** An issue as GitHub shows it, from the program's own title and text. */
async function drawIssue(): Promise<void> {
  const shop = await siteOf({ name: "Shop", url: "https://shop.example.com/health" });
  const error = "answered 401 Unauthorized";
  const event = openingOf(shop, "down", { code: 401, error, phases: PHASES });
  const body = issueBody(event, {
    repository: "https://github.com/acme/status",
    folder: "",
    page: "https://status.acme.example",
  }, LANGUAGE);
  const words = { title: "", back: String };
  const html = gfmToHtml(body, words).replaceAll(/&lt;(\/?sub)&gt;/g, "<$1>");
  await drawHtml(
    "issue.png",
    820,
    `<style>
      body { font: 14px/1.5 ${FONTS}; color: #1f2328; margin: 0; padding: 20px; background: #fff }
      h1 { font-size: 26px; font-weight: 400; margin: 0 0 8px } h1 span { color: #59636e }
      .state { background: #1a7f37; color: #fff; border-radius: 99px; padding: 5px 12px }
      .label { border: 1px solid #d1d9e0; border-radius: 99px; padding: 2px 10px; font-size: 12px }
      .box { border: 1px solid #d1d9e0; border-radius: 6px; margin-top: 16px }
      .head { background: #f6f8fa; padding: 8px 16px; border-bottom: 1px solid #d1d9e0; color: #59636e }
      .body { padding: 4px 16px } a { color: #0969da; text-decoration: none }
      table { border-collapse: collapse } td, th { border: 1px solid #d1d9e0; padding: 6px 13px }
      th { text-align: left } sub { color: #59636e; font-size: 11px; vertical-align: baseline }
    </style>
    <h1>${issueTitle(event, LANGUAGE).replace("🛑", STOP_SIGN)} <span>#12</span></h1>
    <span class="state">Open</span> <span class="label">status</span> <span class="label">shop</span>
    <div class="box"><div class="head"><b>acme-bot</b> opened this issue · locked</div>
    <div class="body">${html}</div></div>`,
  );
}

/** The output of `update` and `status`, with the colors that a terminal shows. */
async function drawTerminal(): Promise<void> {
  await using scratch = await makeScratch();
  await using good = httpServer(() => new Response("ok"));
  await using slow = httpServer(async () => {
    await delay(400);
    return new Response("ok");
  });
  await using broken = httpServer(() => new Response("", { status: 503 }));
  const keys = ["Website", "Shop", "Search", "API"];
  const addresses = [good.url, broken.url, slow.url, good.url];
  const sites = keys.map((name, index) => `  - { name: ${name}, url: "${addresses[index]}" }\n`);
  await scratch.write(
    ".monitorrc.yml",
    `slo: 99.5\ncanaries: []\nsites:\n${sites.join("")}`,
  );
  const to = Temporal.Now.instant().subtract({ minutes: 5 });
  const outage = { from: to.subtract({ hours: 9 }), to: to.subtract({ hours: 8 }) };
  const past = keys.map((name) => ({
    slug: name.toLowerCase(),
    outages: name === "API" ? [outage] : [],
  }));
  await writeHistory(scratch.path, past, { from: to.subtract({ hours: 40 }), to });
  const remote = await makeRemote(scratch.path, { "README.md": "# Status\n" });
  await git(scratch.path, "init", "--quiet", "--initial-branch", "main");
  await git(scratch.path, "add", ".monitorrc.yml", "history");
  await git(scratch.path, "commit", "--quiet", "--message", "Begin");
  await git(scratch.path, "remote", "add", "origin", remote);
  await git(scratch.path, "push", "--quiet", "--force", "origin", "main");
  const parts = [];
  for (const task of ["update", "status"]) {
    const { stdout } = await runTask(task, { folder: scratch.path, columns: 100 });
    parts.push(`$ monitor ${task}\n${stdout}`);
  }
  const text = parts.join("\n").trimEnd().replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replaceAll(/^\$ .*$/gm, "<b>$&</b>")
    .replaceAll("✔", '<i style="color:#3fb950">✔</i>')
    .replaceAll(/✘|×|(?<= )down(?= )/g, '<i style="color:#f85149">$&</i>')
    .replaceAll(/▲|degraded/g, '<i style="color:#d29922">$&</i>');
  await drawHtml(
    "terminal.png",
    900,
    `<style>
      body { margin: 0; padding: 20px; background: #0d1117; color: #e6edf3 }
      pre { font: 13px/1.5 'DejaVu Sans Mono', monospace; margin: 0; white-space: pre-wrap }
      i { font-style: normal }
    </style><pre>${text}</pre>`,
  );
}

/** A row of badges. */
async function drawBadges(): Promise<void> {
  const badges = [
    { label: "Shop", message: "up", color: "brightgreen" },
    { label: "uptime", message: "99.98%", color: "brightgreen" },
    { label: "response time", message: "123 ms", color: "green" },
    { label: "API", message: "degraded", color: "yellow" },
    { label: "Search", message: "down", color: "red" },
  ] as const;
  const row = badges.map((badge) => `<span>${renderBadge(badge)}</span>`).join(" ");
  await drawHtml("badges.png", 560, `<style>body { margin: 8px; background: #fff }</style>${row}`);
}

/** Saves a picture of HTML that is as high as its content. */
async function drawHtml(name: string, width: number, html: string): Promise<void> {
  await using tab = await openTab({ width });
  await tab.setViewportSize({ width, height: 10 });
  await tab.setContent(`<!doctype html><html lang="en"><meta charset="utf-8">${html}`);
  await tab.screenshot({ path: join(FOLDER, name), fullPage: true });
}
