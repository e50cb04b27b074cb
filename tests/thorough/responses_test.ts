import { assertEquals } from "@std/assert";
import { DayClock } from "../helpers/day_clock.ts";
import { githubServer } from "../helpers/github_server.ts";
import { runTask } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

const START = Date.parse("2026-11-20T09:00:00Z");
const MINUTE = 60_000;
const NAMES = ["Shop", "Blog", "Mail"];

/**
 * A run: its minute; the sites that are down; the messages that the channels get, in any order, where `head` is one
 * with `after: 30m`; and what people write a minute later on the issue of a site, with the answer of the next run.
 */
type Step = [
  minute: number,
  down: string,
  sent: readonly string[],
  written?: readonly [by: "ann" | "stranger", site: string, comment: string, answer: string],
];

const STORIES: Readonly<Record<string, readonly Step[]>> = {
  "one comment of a person with write access acknowledges all incidents that are open by then": [
    [0, "", []],
    [5, "Shop Blog", ["Shop down", "Blog down"], [
      "stranger",
      "Shop",
      "/ack all",
      "confused",
    ]],
    [10, "Shop Blog", [], ["ann", "Shop", "/ack all 2h I restart them", "+1"]],
    [15, "Shop Blog Mail", [
      "ann has acknowledged Shop",
      "ann has acknowledged Blog",
      "Mail down",
    ]],
    // Only the outage that is not acknowledged is reminded of.
    [45, "Shop Blog Mail", ["Mail still down", "head: Mail down"]],
    [50, "Blog Mail", ["Shop up"], ["ann", "Shop", "/ack all", "+1"]],
    [55, "Blog Mail", ["ann has acknowledged Mail", "head: ann has acknowledged Mail"]],
    [90, "Blog Mail", []],
    [95, "", ["Blog up", "Mail up", "head: Mail up"], ["ann", "Mail", "/ack all", "confused"]],
    [100, "", []],
  ],
  "one comment mutes all sites, also one that fails later, and one unmutes them": [
    [0, "", []],
    [5, "Shop", ["Shop down"], ["stranger", "Shop", "/mute all 2h", "confused"]],
    [10, "Shop", [], ["ann", "Shop", "/mute all", "confused"]],
    [15, "Shop", [], ["ann", "Shop", "/mute all 2h", "+1"]],
    [20, "Shop Blog", []],
    [60, "Blog", []],
    [65, "Blog", [], ["ann", "Shop", "/unmute all", "+1"]],
    [70, "Blog", ["Shop up", "Blog down", "head: Blog down"]],
  ],
  "a short recovery ends no acknowledgement, but its time does": [
    [0, "", []],
    [5, "Shop", ["Shop down"], ["ann", "Shop", "/ack 90m", "+1"]],
    [10, "Shop", ["ann has acknowledged Shop"]],
    [15, "", ["Shop up"], ["ann", "Shop", "/ack", "confused"]],
    [20, "Shop", ["Shop down"]],
    [55, "Shop", []],
    [60, "", ["Shop up"]],
    [65, "Shop", ["Shop down"]],
    [90, "Shop", []],
    [100, "Shop", ["Shop still down", "head: Shop down"]],
  ],
};

// deno-lint-ignore no-explicit-any
function toWords({ type, news, reminder, site, text }: any): string[] {
  // That somebody has muted a site is a message of its own.
  if (news === "muted") return [];
  if (news === "acknowledged") return [`${/^\w+ has acknowledged/.exec(text)} ${site.name}`];
  return [`${site.name} ${reminder ? "still " : ""}${type}`];
}

for (const [name, steps] of Object.entries(STORIES)) {
  Deno.test(name, async () => {
    await using stack = new AsyncDisposableStack();
    const clock = stack.use(new DayClock(START));
    const scratch = stack.use(await makeScratch());
    const github = stack.use(await githubServer());
    const hook = stack.use(await vendorServer({ status: 200 }));
    const head = stack.use(await vendorServer({ status: 200 }));
    let down: readonly string[] = [];
    const server = stack.use(httpServer((request) => {
      const isDown = down.includes(new URL(request.url).pathname.slice(1));
      return new Response(null, { status: isDown ? 503 : 200 });
    }));
    const config = {
      retry: { delays: [0.05] },
      recheckDelay: 0.05,
      canaries: [],
      reopenWithin: 15,
      lockIssues: false,
      sites: NAMES.map((name) => ({ name, url: `${server.url}/${name}` })),
      notifications: [
        { type: "webhook", url: hook.url, on: ["down", "up"], reminders: ["30m"] },
        { type: "webhook", url: head.url, on: ["down", "up"], after: "30m" },
      ],
    };
    await scratch.write(".monitorrc.yml", JSON.stringify(config));
    const answers: [comment: number, wanted: string][] = [];
    for (const [minute, states, sent, written] of steps) {
      clock.time = START + minute * MINUTE;
      down = states.split(" ");
      const { code, stderr } = await runTask("update", {
        folder: scratch.path,
        env: github.env,
        clock,
      });
      assertEquals([code, stderr], [0, ""]);
      const take = ({ seen }: typeof hook) =>
        seen.splice(0).flatMap(({ json }) => json.events.flatMap(toWords));
      const got = [...take(hook), ...take(head).map((words) => `head: ${words}`)];
      assertEquals(got.sort(), [...sent].sort(), `minute ${minute}`);
      for (const [comment, wanted] of answers) {
        assertEquals(github.reactions(comment), [`${wanted} monitor-bot`], `minute ${minute}`);
      }
      if (written === undefined) continue;
      const [by, site, comment, wanted] = written;
      clock.time += MINUTE;
      const issue = (await github.issues()).findLast(({ title }) => title.includes(`${site} `))!;
      answers.push([await github.person(by).comment(issue.number, comment), wanted]);
    }
    assertEquals(github.violations, []);
  });
}
