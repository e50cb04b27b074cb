import { assertEquals, assertMatch } from "@std/assert";
import {
  type IssueCommand,
  parseCommand,
} from "../../../lib/incidents/acknowledgement/read_responses.ts";
import type { Incident } from "../../../lib/history/incident.ts";
import { describeAcknowledgement } from "../../../lib/notifications/acknowledgements.ts";
import { DependentLife } from "../../helpers/dependent_life.ts";

/** Comments on the issue of a site's incident, some minutes before the next run. */
function comment(
  life: DependentLife,
  text: string,
  { slug = "router", by = "ann", before = 1, isAllowed = true } = {},
): void {
  const command: IssueCommand = {
    ...{ incident: `2026-11-21-${slug}`, slug, issue: 1, comment: 10, by, isAllowed },
    at: life.now.add({ minutes: 5 - before }),
    command: parseCommand(text)!,
  };
  life.responses = {
    incidents: new Map(),
    commands: [command],
    state: { repository: "acme/status", seen: {} },
  };
}

const SITES = [
  { name: "Router", slug: "router" },
  { name: "Shop", slug: "shop", dependsOn: "Router" },
];

Deno.test("a site that joins an acknowledged incident is reported once, and reminders stay away", async () => {
  const life = await DependentLife.begin(SITES);
  await life.play({ router: "ud", shop: "uu" });
  comment(life, "/ack");
  const runs = await life.play({ router: "dddddu", shop: "uddddu" });
  assertEquals(runs.map(({ messages }) => messages), [
    ["ann has acknowledged: Router is down"],
    ["Shop fails as well"],
    [],
    [],
    [],
    ["router up"],
  ]);
  assertEquals(runs[0]!.answers, ["10 +1"]);
  assertMatch(describeAcknowledgement(runs.at(-1)!.events[0]!), /^Acknowledged by ann 4 minutes/);
});

Deno.test("in quiet hours all events of an outage wait, and none replaces another", async () => {
  const life = await DependentLife.begin([
    ...SITES,
    { name: "Blog", slug: "blog", dependsOn: "Router" },
  ], { quiet: { from: "10:08", to: "10:28" } });
  await life.play({ router: "d", shop: "u", blog: "u" });
  comment(life, "/ack");
  const runs = await life.play({ router: "ddddd", shop: "udddd", blog: "uuddd" });
  assertEquals(runs.map(({ messages }) => messages), [
    [],
    [],
    [],
    [],
    ["ann has acknowledged: Router is down", "Shop fails as well", "Blog fails as well"],
  ]);
});

Deno.test("the end of an outage wins over an acknowledgement", async () => {
  for (
    const [before, answer, words] of [
      [1, "10 +1", "Acknowledged by ann 9 minutes after the start"],
      [-1, "10 confused", ""],
    ] as const
  ) {
    const life = await DependentLife.begin([{ name: "Router", slug: "router" }]);
    await life.play({ router: "udd" });
    comment(life, "/ack", { before });
    const [run] = await life.play({ router: "u" });
    assertEquals([run!.messages, run!.answers], [["router up"], [answer]]);
    assertEquals(describeAcknowledgement(run!.events[0]!), words);
    assertEquals((await life.play({ router: "uuu" })).flatMap(({ messages }) => messages), []);
  }
});

Deno.test("an outage that gets worse is reported and reminded of again, with who had acknowledged", async () => {
  const life = await DependentLife.begin([{ name: "Router", slug: "router" }]);
  await life.play({ router: "ue" });
  comment(life, "/ack");
  const runs = await life.play({ router: "eeedddd" });
  assertEquals(runs.map(({ messages }) => messages.join()), [
    "ann has acknowledged: Router has degraded performance",
    "",
    "",
    "router down",
    "",
    "router still down",
    "",
  ]);
  assertMatch(describeAcknowledgement(runs[3]!.events[0]!), /^Acknowledged by ann .* got worse$/);
});

Deno.test("a short recovery does not end an acknowledgement, whenever its comment is read", async () => {
  // The comment is from before the recovery; it is read before it, or in the run that reopens the incident.
  for (const isLate of [false, true]) {
    const life = await DependentLife.begin([{ name: "Router", slug: "router" }]);
    await life.play({ router: "ud" });
    const before = await life.play({ router: "d" });
    if (!isLate) comment(life, "/ack");
    before.push(...await life.play({ router: "d" }), ...await life.play({ router: "u" }));
    if (isLate) comment(life, "/ack", { before: 8 });
    const [reopened, ...after] = await life.play({ router: "dddd" });
    assertEquals([...before, reopened!].flatMap(({ answers }) => answers), ["10 +1"]);
    assertEquals(reopened!.messages, ["router down"]);
    assertMatch(describeAcknowledgement(reopened!.events[0]!), /^Acknowledged by ann \d+ minutes/);
    assertEquals(after.flatMap(({ messages }) => messages), []);
    const [{ acknowledgements }] = [...life.incidents().values()] as [Incident];
    assertEquals(acknowledgements.map(({ by }) => by), ["ann"]);
  }
});

Deno.test("while the site is up between two failures, nobody can acknowledge", async () => {
  const life = await DependentLife.begin([{ name: "Router", slug: "router" }]);
  await life.play({ router: "uddu" });
  comment(life, "/ack", { before: 2 });
  const runs = await life.play({ router: "ddd" });
  assertEquals(runs.flatMap(({ answers }) => answers), ["10 confused"]);
  assertEquals(runs.map(({ messages }) => messages.join()), [
    "router down",
    "",
    "router still down",
  ]);
});

Deno.test("an incident that is reopened as something worse is no longer acknowledged", async () => {
  const life = await DependentLife.begin([{ name: "Router", slug: "router" }]);
  await life.play({ router: "ue" });
  comment(life, "/ack");
  const runs = await life.play({ router: "euddd" });
  assertEquals(runs.map(({ messages }) => messages.join()), [
    "ann has acknowledged: Router has degraded performance",
    "router up",
    "router down",
    "",
    "router still down",
  ]);
  assertMatch(describeAcknowledgement(runs[2]!.events[0]!), /^Acknowledged by ann .* got worse$/);
});

Deno.test("commands of strangers change nothing, and are answered once for an issue", async () => {
  const life = await DependentLife.begin([{ name: "Router", slug: "router" }]);
  await life.play({ router: "ud" });
  const answers: string[] = [];
  for (const text of ["/ack", "/mute 2h", "/ack", "/unmute"]) {
    comment(life, text, { by: "eve", isAllowed: false });
    answers.push(...(await life.run({ router: "d" })).answers);
  }
  assertEquals(answers, ["10 confused"]);
  assertEquals(life.incidents().get("2026-11-21-router")!.acknowledgements, []);
  assertMatch((await life.play({ router: "du" })).flatMap(({ messages }) => messages).join(), /up/);
});
