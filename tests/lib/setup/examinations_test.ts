import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { computeBilling } from "../../../lib/setup/billing.ts";
import { parseConfig } from "../../../lib/config/parse.ts";
import { EXAMINATIONS, examine } from "../../../lib/setup/doctor/examine.ts";
import { type Facts, readActiveLocations } from "../../../lib/setup/doctor/facts.ts";
import { parseRows } from "../../../lib/history/checks_log.ts";
import { unknownSettings } from "../../../lib/github/repository_settings.ts";
import { computeRunGaps } from "../../../lib/statistics/run_gaps.ts";
import { MINUTE } from "../../../lib/time.ts";
import { unsupportedServices } from "../../../lib/config/upptime/channels.ts";
import { WORKFLOW_KEYS, workflowPath } from "../../../lib/config/workflows.ts";
import { doctorJson, doctorText } from "../../../templates/terminal/doctor.ts";

const NOW = Temporal.Instant.from("2026-11-22T00:00:00Z");
const WEEK = 7 * 24 * 60 * MINUTE;
const EVERY_5 = "*/5 * * * *";
const NO_RUNS = computeRunGaps([], { schedule: EVERY_5, now: NOW.epochMilliseconds });
const CONFIG = "sites:\n  - { name: A, url: 'https://a.example.com/?k=$API_KEY' }\n";

/** The facts of a set-up in which all is well, with others in place of some. */
async function facts(other: Partial<Facts> = {}, text = CONFIG): Promise<Facts> {
  const { config } = await parseConfig(text);
  const start = NOW.epochMilliseconds - WEEK;
  const value = {
    repository: {
      ...{ isPrivate: false, isArchived: false, hasIssues: true, branch: "main" },
      ...{ pushed: NOW.subtract({ hours: 1 }), mayPush: true, scopes: ["repo", "workflow"] },
    },
    workflows: WORKFLOW_KEYS.map((key) => ({ path: workflowPath(key), state: "active" })),
    pages: { source: { branch: "gh-pages", path: "/" }, isHttps: true },
  };
  return {
    ...{ now: NOW, file: ".monitorrc.yml", errors: 0 },
    config,
    billing: computeBilling(config!),
    files: WORKFLOW_KEYS.map((key) => ({
      ...{ path: workflowPath(key), fate: "same", text: "", difference: [] } as const,
    })),
    runs: {
      value: computeRunGaps(
        Array.from({ length: 2017 }, (_, index) => start + index * 5 * MINUTE),
        { schedule: config!.workflowSchedule.uptime, now: NOW.epochMilliseconds },
      ),
    },
    repository: { value: value.repository },
    hasActions: { value: true },
    workflows: { value: value.workflows },
    scheduledRuns: { value: 2000 },
    pages: { value: value.pages },
    secrets: { value: ["API_KEY", "HOST_PAT"] },
    rules: { value: ["deletion", "non_fast_forward"] },
    isProtected: { value: true },
    unsupported: [],
    unwarned: [],
    addresses: {},
    isUpptime: false,
    ...other,
  };
}

/** The findings of an examination, as `verdict: what → cure`. */
async function found(
  name: keyof typeof EXAMINATIONS,
  other: Partial<Facts> = {},
  text?: string,
): Promise<string[]> {
  return EXAMINATIONS[name](await facts(other, text)).map(({ verdict, says, cure }) =>
    `${verdict}: ${says}${cure === undefined ? "" : ` → ${cure}`}`
  );
}

/** The facts of a healthy repository, with changes. */
async function repository(other: object): Promise<Partial<Facts>> {
  const { repository } = await facts();
  return { repository: { value: { ...repository.value!, ...other } } };
}

Deno.test("each examination reports once that all is well", async () => {
  const findings = examine(await facts());
  assertEquals(findings.map(({ verdict }) => verdict), findings.map(() => "well"));
  const names = Object.keys(EXAMINATIONS).filter((name) => name !== "Locations");
  assertEquals(findings.map(({ examination }) => examination), names);
  assertStringIncludes(doctorText({ findings }, 100), "\n\n✔ Nothing needs to be changed.");
});

Deno.test("an unknown fact is never well, and each reason is shown once", async () => {
  const findings = examine(
    await facts({ ...unknownSettings("no token is set"), given: undefined }),
  );
  const hidden = findings.filter(({ verdict }) => verdict === "unexamined");
  assertEquals(hidden.map(({ examination }) => examination), [
    ...["Token", "Actions", "Branch", "Secrets", "Page", "Activity"],
  ]);
  const text = doctorText({ findings }, 100);
  assertEquals(text.split("no token is set").length, 2);
  assertStringIncludes(text, "✔ Nothing needs to be changed, as far as could be examined.");
});

Deno.test("every finding that needs a change names the cure", async () => {
  const wrong = await facts({
    ...await repository({ isArchived: true, hasIssues: false, mayPush: false, scopes: [] }),
    ...{ errors: 2, hasActions: { value: false }, rules: { value: ["pull_request"] } },
    ...{
      secrets: { value: [] },
      pages: { value: undefined },
      runs: { value: NO_RUNS },
    },
    files: (await facts()).files.map((file) => ({ ...file, fate: "new" })),
  });
  const changes = examine(wrong).filter(({ verdict }) => verdict === "change");
  const names = new Set(changes.map(({ examination }) => examination));
  assertEquals([...names], [
    ...["Configuration", "Token", "Workflow files", "Actions", "Branch", "Secrets", "Page"],
    "Schedule",
  ]);
  for (const { says, cure } of changes) assert(cure !== undefined, says);
  const findings = examine(wrong);
  assertEquals((doctorJson({ findings }) as { well: boolean }).well, false);
});

Deno.test("an Upptime repository has to be imported before its workflows are replaced", async () => {
  assertEquals(await found("Workflow files", { isUpptime: true }), [
    `change: they are Upptime's, and so is the history → run "monitor import upptime --dry-run"`,
  ]);
});

Deno.test("a configuration with only the example asks for sites", async () => {
  const example = "sites:\n  - { name: My website, url: https://your-website.example }\n";
  assertEquals(await found("Configuration", {}, example), [
    "change: .monitorrc.yml has only the example, which is not checked → replace it with your sites",
  ]);
});

Deno.test("the token is examined by its scopes if they are visible", async () => {
  const of = async (other: object) => await found("Token", await repository(other));
  assertEquals(await of({ scopes: ["repo"] }), [
    "well: the token can be used: classic, with the scope repo",
    "note: the token lacks the scope workflow: Setup CI can't write workflow files, and prints them → give it the scope workflow in Settings > Developer settings > Personal access tokens",
  ]);
  assertEquals((await of({ scopes: ["public_repo", "workflow"] }))[0]!.split(":")[0], "well");
  const secret = await of({ scopes: ["public_repo"], isPrivate: true });
  assertStringIncludes(secret[0]!, "change: the token has only the scope public_repo → give it");
  assertStringIncludes(
    (await of({ scopes: undefined }))[1]!,
    "note: the token is not a classic one",
  );
  const refused = { why: "the token is not accepted", isWrong: true };
  assertEquals(await found("Token", { repository: refused }), [
    "change: the token is not accepted",
  ]);
});

Deno.test("stopped, disabled and missing workflows are named, with the command that enables them", async () => {
  const of = async (states: Record<string, string>, announce = false) => {
    const { workflows, config } = await facts();
    return await found("Actions", {
      config: { ...config!, announce },
      workflows: {
        value: workflows.value!.map(({ path, state }) => ({ path, state: states[path] ?? state }))
          .filter(({ state }) => state !== "absent"),
      },
    });
  };
  const [uptime, site] = [workflowPath("uptime"), workflowPath("site")];
  assertEquals(await of({ [uptime]: "disabled_inactivity" }), [
    'change: Uptime CI was stopped by GitHub, because nothing happened for 60 days → gh workflow enable "Uptime CI"',
  ]);
  assertEquals(await of({ [uptime]: "disabled_manually", [site]: "disabled_manually" }), [
    'change: Uptime CI was disabled by somebody → gh workflow enable "Uptime CI"',
    'note: Static Site CI was disabled by somebody → gh workflow enable "Static Site CI"',
  ]);
  assertEquals(await of({ [site]: "absent" }), [
    'change: GitHub does not know Static Site CI → run "monitor update-template", and push what it writes to the default branch',
  ]);
  assertStringIncludes((await of({}, true))[0]!, "change: GitHub does not know Announce → run");
  assertEquals(await of({ [site]: "disabled_tomorrow" }), [
    'change: Static Site CI is disabled_tomorrow → gh workflow enable "Static Site CI"',
  ]);
});

Deno.test("workflow files are examined by the planned update", async () => {
  const { files } = await facts();
  const [first, second, third, fourth, ...rest] = files;
  const changed: Facts["files"] = [
    { ...first!, fate: "new" },
    { ...second!, fate: "updated" },
    { ...third!, fate: "edited" },
    { ...fourth!, fate: "foreign" },
    ...rest,
  ];
  const [missing, old, edited, foreign] = await found("Workflow files", { files: changed });
  assertStringIncludes(
    missing!,
    'change: missing in .github: uptime.yml → run "monitor update-',
  );
  assertStringIncludes(old!, "change: older than this version or the configuration: resp");
  assertStringIncludes(edited!, "note: changed by hand, and so not updated: graphs.yml");
  assertStringIncludes(foreign!, "note: not generated by this program, and so not updated: site");
});

Deno.test("a rule that refuses pushes is reported, and an unreadable one is a note", async () => {
  const of = async (...rules: string[]) => (await found("Branch", { rules: { value: rules } }))[0]!;
  assertStringIncludes(
    await of("pull_request", "required_signatures"),
    "change: a ruleset for main requires pull requests, signed commits → let the account",
  );
  assertStringIncludes(await of("deletion"), "well: no known rule refuses pushes to main");
  assertStringIncludes(await of(), "note: main is protected by a rule whose terms can't be read");
});

Deno.test("the page is examined by branch, domain and HTTPS", async () => {
  const of = async (value: Facts["pages"]["value"], text?: string) =>
    (await found("Page", { pages: { value } }, text))[0]!;
  const good = { source: { branch: "gh-pages", path: "/" }, isHttps: true };
  const own = `${CONFIG}status-website: { cname: up.example.com }\n`;
  assertStringIncludes(await of(undefined), "change: GitHub Pages is off → choose the branch");
  assertStringIncludes(
    await of({ ...good, source: undefined }),
    "change: GitHub Pages waits for a work",
  );
  assertStringIncludes(
    await of({ ...good, source: { branch: "main", path: "/docs" } }),
    "change: GitHub Pages publishes /docs of the branch main → choose the branch gh-pages",
  );
  assertStringIncludes(
    await of(good, own),
    "wants the page at up.example.com, and GitHub serves it at its default address → run Static",
  );
  assertStringIncludes(
    await of({ ...good, cname: "old.example.com" }),
    "at old.example.com, and the configuration names no domain → set status-website: { cname: old",
  );
  const http = { ...good, cname: "UP.example.com", isHttps: false };
  assertStringIncludes(
    await of(http, own),
    "note: the page is also served over http → choose Enforce",
  );
  const hidden = { ...await repository({ isPrivate: true }), pages: { value: undefined } };
  assertStringIncludes(
    (await found("Page", hidden))[0]!,
    "well: a private repository publishes no page",
  );
  const published = `${CONFIG}status-website: { publish: true }\n`;
  assertStringIncludes((await found("Page", hidden, published))[0]!, "needs a paid plan");
  assertEquals(await found("Page", {}, `${CONFIG}skipGeneratingWebsite: true\n`), []);
  const addresses = { feed: "https://up.example.com/feed.xml" };
  const feed = `well: feed at ${addresses.feed}`;
  assertEquals((await found("Page", { addresses })).at(-1), feed);
  assertEquals(
    (await found("Page", { addresses, pages: { why: "no token is set", isWrong: false } })).at(-1),
    feed,
  );
});

/** Checks some minutes apart, the last of them some minutes ago; with others long before, or not. */
function every(minutes: number, count: number, end = 0, isAll = true): Partial<Facts> {
  const last = NOW.epochMilliseconds - end * MINUTE;
  const moments = Array.from(
    { length: count },
    (_, index) => last - (count - 1 - index) * minutes * MINUTE,
  );
  const all = isAll ? moments : [moments[0]! - 2 * WEEK, ...moments];
  const now = NOW.epochMilliseconds;
  return { runs: { value: computeRunGaps(all, { schedule: EVERY_5, now }) } };
}

Deno.test("the schedule is examined by the checks of the last week", async () => {
  assertEquals(await found("Schedule"), [
    "well: checks are scheduled every 5 minutes; the last week had 2017, usually 5 minutes apart (median), 9 of 10 at most 5 minutes, at worst 5 minutes, GitHub started 2000 of about 2016 by schedule",
  ]);
  const [late] = await found("Schedule", { ...every(18, 500), scheduledRuns: { value: 500 } });
  assertStringIncludes(late!, "change: checks are scheduled every 5 minutes; the last week had");
  assertStringIncludes(late!, "usually 18 minutes apart (median)");
  assertStringIncludes(late!, "100% of the gaps took more than 10 minutes");
  assertStringIncludes(late!, "500 of about 1796 by schedule → GitHub starts schedules late");
  assertStringIncludes(late!, "; driftAlarm: true reports long gaps");
  const alarmed = await found("Schedule", every(18, 500), `${CONFIG}driftAlarm: 2h\n`);
  assert(!alarmed[0]!.includes("driftAlarm"), alarmed[0]);
  const [uneven, last] = await found("Schedule", every(5, 500, 270));
  assertStringIncludes(uneven!, "note: checks are");
  assertStringIncludes(uneven!, "at worst 4 hours 30 minutes");
  assertStringIncludes(
    last!,
    "change: the last check was 4 hours 30 minutes ago → find the cause",
  );
  assertStringIncludes(
    (await found("Schedule", { runs: { value: NO_RUNS } }))[0]!,
    "no check was made in the",
  );
  const [fresh] = await found("Schedule", every(5, 289));
  assertStringIncludes(fresh!, "at worst 5 minutes, GitHub started 2000 of about 288 by");
  const [dead] = await found("Schedule", every(5, 289, 0, false));
  assertStringIncludes(dead!, "note: checks are");
  assertStringIncludes(dead!, "at worst 14 days, 0.35% of the gaps took more than 10 minutes");
  assertStringIncludes(dead!, "GitHub started 2000 of about 2016 by");
});

Deno.test("few checks are no proof of a schedule, and a stop after them is reported", async () => {
  const words = "checks are scheduled every 5 minutes; the last week had";
  assertEquals(await found("Schedule", { ...every(5, 1), scheduledRuns: { value: 1 } }), [
    `well: ${words} 1, too few to say how regular they are, GitHub started 1 of about 0 by schedule`,
  ]);
  const stopped = await found("Schedule", every(5, 100, 60));
  assertStringIncludes(stopped[0]!, `note: ${words} 100, too few to say`);
  assertStringIncludes(stopped[1]!, "change: the last check was 1 hour ago");
});

Deno.test("services that only Upptime supports are named", async () => {
  const names = ["NOTIFICATION_LARK", "NOTIFICATION_SMS_PLIVO"];
  const unsupported = unsupportedServices(names, () => "true");
  assertEquals((await found("Secrets", { unsupported })).slice(1), [
    "note: Not carried over from Upptime: SMS (NOTIFICATION_SMS_PLIVO), Lark (NOTIFICATION_LARK); nothing is sent there, so add another channel under notifications",
  ]);
});

Deno.test("secrets are compared with those of the repository, else of the environment", async () => {
  const unseen = { why: "secrets can't be seen", isWrong: false };
  const of = (other: Partial<Facts>, text?: string) => found("Secrets", other, text);
  assertEquals(await of({}), ["well: all exist: API_KEY"]);
  assertEquals(await of({ secrets: { value: ["HOST_PAT"] } }), [
    "change: the repository has no secret API_KEY → save it: monitor set-secret API_KEY",
  ]);
  assertStringIncludes(
    (await of({ secrets: { value: ["API_KEY"] } }))[0]!,
    "note: the secret HOST_PAT is missing",
  );
  assertEquals(await of({ secrets: unseen }), ["unexamined: secrets can't be seen"]);
  assertEquals(await of({ secrets: unseen, given: ["OTHER"] }), [
    "change: the environment has no secret API_KEY → save it: monitor set-secret API_KEY",
    "unexamined: secrets can't be seen",
  ]);
  assertStringIncludes(
    (await of({}, `${CONFIG}secrets: [OTHER]\n`))[0]!,
    "change: secrets: in the configuration lacks $API_KEY → add API_KEY",
  );
});

Deno.test("a token of Globalping is recommended if sites are checked by it", async () => {
  const text = `locations: [{ name: Oslo, globalping: Oslo }]
sites: [{ name: A, url: 'https://a.example.com', locations: Oslo }]
`;
  assertEquals(await found("Secrets", {}, text), [
    "note: the secret GLOBALPING_TOKEN is missing, so the tests of Globalping are shared with all users of the runner's address → create a token at dash.globalping.io and save it: monitor set-secret GLOBALPING_TOKEN",
  ]);
  const value = ["HOST_PAT", "GLOBALPING_TOKEN"];
  assertEquals(await found("Secrets", { secrets: { value } }, text), [
    "well: the configuration names none",
  ]);
});

Deno.test("minutes are billed in private repositories only, and schedules stop in public ones", async () => {
  const hidden = await repository({ isPrivate: true, pushed: NOW.subtract({ hours: 24 * 90 }) });
  assertEquals(await found("Minutes", hidden), [
    'change: about 8,760 minutes a month are billed, 2,000 of them free → set workflowSchedule: { uptime: "*/30 * * * *" }, or runner: self-hosted',
  ]);
  assertEquals(await found("Activity", hidden), []);
  const quiet = async (days: number) =>
    (await found("Activity", await repository({ pushed: NOW.subtract({ hours: 24 * days }) })))[0]!;
  assertEquals((await quiet(44)).split(":")[0], "well");
  assertStringIncludes(
    await quiet(50),
    "note: the repository last changed 50 days ago; GitHub stops",
  );
  assertStringIncludes(await quiet(61), "change: the repository last changed 61 days ago, and");
});

Deno.test("a location that sends nothing for a day is named, and old runners are warned of", async () => {
  const text = `locations:
  - { name: Virginia, runner: ubuntu-latest }
  - { name: Home, runner: [self-hosted, pi] }
  - { name: Attic, runner: [self-hosted, nas] }
${CONFIG}`;
  const at = (activeLocations: string[], config = text) =>
    found("Locations", { activeLocations: new Set(activeLocations) }, config);
  assertEquals(await at(["Virginia", "Home", "Attic"]), ["well: each of 3 has sent results"]);
  assertEquals(await at(["Home", "Virginia"]), [
    'change: Attic (self-hosted, nas) has sent nothing for a day → check in Settings > Actions > Runners that a runner with these labels is online, and that it is version 2.327.1 or newer; then gh run list --workflow "Uptime CI: Attic"',
  ]);
  assertEquals(await at(["Home", "Attic"]), [
    'change: Virginia has sent nothing for a day → find the cause: gh run list --workflow "Uptime CI"',
  ]);
  const shards = `shards: 2\nrunner: self-hosted\n${CONFIG}`;
  assertEquals(await at([], shards), [
    "note: the jobs on your own machine exchange artifacts → use version 2.327.1 of the runner or a newer one",
  ]);
  assertEquals(await at([], CONFIG), []);
});

Deno.test("the locations with a result in the last day are those of recent rows, flushed or not", async () => {
  const row = (time: string, location: string) =>
    `time,run,slug,state,code,ms,attempts,phases,location,error\n${time},0a1b2c3d,a,up,200,5,1,,${location},\n`;
  const files = new Map([
    ["2026-11-20.csv", row("2026-11-20T23:59:00.000Z", "Old")],
    ["2026-11-21.csv", row("2026-11-21T00:01:00.000Z", "Home")],
  ]);
  const folder = "history/checks/";
  const pending = parseRows(row("2026-11-21T23:58:00.000Z", "Attic"));
  const activeLocations = await readActiveLocations(
    {
      listAll: () => Promise.resolve([...files.keys()]),
      read: (paths) =>
        Promise.resolve(
          new Map(paths.map((path) => [path, files.get(path.slice(folder.length))!])),
        ),
    },
    NOW.epochMilliseconds,
    pending,
  );
  assertEquals(activeLocations, new Set(["Home", "Attic"]));
});
