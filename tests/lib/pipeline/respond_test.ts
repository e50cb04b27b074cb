import { assertEquals, assertMatch } from "@std/assert";
import {
  type IssueCommand,
  parseCommand,
} from "../../../lib/incidents/acknowledgement/read_responses.ts";
import type { Incident } from "../../../lib/history/incident.ts";
import { describeAcknowledgement } from "../../../lib/notifications/acknowledgements.ts";
import { DependentLife } from "../../helpers/dependent_life.ts";
import { VIEW } from "../../helpers/vendors/messages.ts";

/** Comments on the issue of a site's incident, some minutes before the next run. */
function comment(
  life: DependentLife,
  text: string,
  { slug = "router", by = "ann", before = 1, isAllowed = true, id = 10 } = {},
): void {
  const command: IssueCommand = {
    ...{ incident: `2026-11-21-${slug}`, slug, issue: 1, comment: id, by, isAllowed },
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
  assertMatch(
    describeAcknowledgement(runs.at(-1)!.events[0]!, VIEW),
    /^Acknowledged by ann 4 minutes/,
  );
});

Deno.test("an acknowledgement that waits in quiet hours names the sites that fail as well", async () => {
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
    ["ann has acknowledged: Router is down"],
  ]);
  assertEquals(runs.at(-1)!.events[0]!.affected, ["Shop", "Blog"]);
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
    assertEquals(describeAcknowledgement(run!.events[0]!, VIEW), words);
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
  assertMatch(
    describeAcknowledgement(runs[3]!.events[0]!, VIEW),
    /^Acknowledged by ann .* got worse$/,
  );
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
    assertMatch(
      describeAcknowledgement(reopened!.events[0]!, VIEW),
      /^Acknowledged by ann \d+ minutes/,
    );
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
  assertMatch(
    describeAcknowledgement(runs[2]!.events[0]!, VIEW),
    /^Acknowledged by ann .* got worse$/,
  );
});

Deno.test("one comment acknowledges all incidents that are open by then, whatever happens to its own", async () => {
  const sites = [
    ...SITES,
    ...["Blog", "Mail", "Wiki"].map((name) => ({
      ...{ name, slug: name.toLowerCase(), url: `https://${name.toLowerCase()}.example/` },
    })),
  ];
  const life = await DependentLife.begin(sites);
  // The shop fails because of the router; mail fails after the comment.
  await life.play({ router: "udd", shop: "udd", blog: "udd", mail: "uuu" });
  comment(life, "/ack all", { before: 2 });
  const run = await life.run({ router: "u", shop: "u", blog: "d", mail: "d" });
  assertEquals(run.answers, ["10 +1"]);
  assertEquals(run.messages.filter((text) => text.startsWith("ann")), [
    "ann has acknowledged: Blog is down",
  ]);
  const acknowledged = (slug: string) =>
    life.incidents().get(`2026-11-21-${slug}`)!.acknowledgements.map(({ by }) => by);
  assertEquals(["router", "shop", "blog", "mail"].map(acknowledged), [["ann"], [], ["ann"], []]);
  // A comment on the issue of an incident that is over still acknowledges the others.
  comment(life, "/ack all", { by: "bob", id: 11 });
  assertEquals((await life.run({ blog: "d", mail: "d" })).answers, ["11 +1"]);
  assertEquals(["router", "shop", "blog", "mail"].map(acknowledged), [
    ["ann"],
    [],
    ["ann", "bob"],
    ["bob"],
  ]);
});

Deno.test("with no incident open, a comment for all acknowledges nothing and says so", async () => {
  const life = await DependentLife.begin([{ name: "Router", slug: "router" }]);
  await life.play({ router: "udu" });
  comment(life, "/ack all");
  assertEquals((await life.run({ router: "u" })).answers, ["10 confused"]);
});

Deno.test("one comment mutes all sites, also one that fails later, and one unmutes them", async () => {
  const life = await DependentLife.begin([...SITES, { name: "Blog", slug: "blog" }]);
  await life.play({ router: "ud", shop: "uu", blog: "uu" });
  comment(life, "/mute all 2h");
  const muted = await life.play({ router: "ddd", shop: "uuu", blog: "udd" });
  assertEquals(muted.flatMap(({ answers }) => answers), ["10 +1"]);
  assertEquals(muted.flatMap(({ events }) => events).filter(({ kind }) => kind === "down"), []);
  comment(life, "/unmute all", { id: 11 });
  const [run] = await life.play({ router: "d", shop: "u", blog: "d" });
  assertEquals(run!.answers, ["11 +1"]);
  assertEquals(run!.messages.includes("blog down"), true);
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
