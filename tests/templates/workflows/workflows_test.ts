import { assert, assertEquals } from "@std/assert";
import { parse } from "@std/yaml";
import { parse as parseOther } from "yaml";
import { UPPTIME_SECRETS, upptimeChannels } from "../../../lib/config/upptime/channels.ts";
import {
  SCHEDULED_KEYS,
  WORKFLOW_KEYS,
  type WorkflowKey,
  workflowPath,
  WORKFLOWS,
} from "../../../lib/config/workflows.ts";
import { DISPATCH_EVENTS } from "../../../lib/incidents/github_effects.ts";
import { parseSecretsContext } from "../../../lib/io/secrets/secrets_file.ts";
import { quoteYaml } from "../../../templates/workflows/workflow.ts";
import { hostileText } from "../../helpers/hostile_text.ts";
import {
  ACTION,
  jobOf,
  madeWorkflow,
  madeWorkflows,
  readWorkflow,
} from "../../helpers/made_workflows.ts";
import fc, { anyText } from "../../helpers/property.ts";
import type { Keys } from "../../helpers/sites.ts";
import { interpolate, isMet } from "../../helpers/runner/expressions.ts";

/** The documented table: file, name, event, schedule, and command. */
const SERVICE: readonly [WorkflowKey, string, string, string, string | undefined, string[]][] = [
  ["uptime", "uptime.yml", "Uptime CI", "uptime", "*/5 * * * *", ["update"]],
  [
    "responseTime",
    "response-time.yml",
    "Response Time CI",
    "response_time",
    "0 23 * * *",
    ["response-time"],
  ],
  ["graphs", "graphs.yml", "Graphs CI", "graphs", "0 0 * * *", ["graphs"]],
  ["site", "site.yml", "Static Site CI", "static_site", "0 1 * * *", ["site"]],
  ["summary", "summary.yml", "Summary CI", "summary", "0 0 * * *", ["readme"]],
  ["setup", "setup.yml", "Setup CI", "setup", undefined, [
    "update-template",
    "response-time",
    "readme",
    "site",
  ]],
];

const TOKEN = "${{ secrets.HOST_PAT || github.token }}";

Deno.test("files, names, events, schedules and commands are as documented", async () => {
  assertEquals(
    [...(await madeWorkflows()).files.keys()],
    SERVICE.map(([, file]) => `.github/workflows/${file}`),
  );
  for (const [key, file, name, event, schedule, commands] of SERVICE) {
    assertEquals(workflowPath(key), `.github/workflows/${file}`);
    const workflow = await madeWorkflow(key);
    assertEquals(workflow.name, name);
    assertEquals(workflow.on["repository_dispatch"], { types: [event] });
    assert("workflow_dispatch" in workflow.on);
    assertEquals(workflow.on["schedule"], schedule && [{ cron: schedule }]);
    const run = jobOf(workflow).steps.flatMap(({ with: given }) => given?.["command"] ?? []);
    assertEquals(run, commands);
  }
  assertEquals([...DISPATCH_EVENTS], SERVICE.map(([, , , event]) => event));
  assertEquals(SCHEDULED_KEYS, WORKFLOW_KEYS.slice(0, 5));
});

Deno.test("each job works with the newest commit at depth 1, alone, and ends after ten minutes", async () => {
  for (const key of WORKFLOW_KEYS) {
    const job = jobOf(await madeWorkflow(key));
    assertEquals(job["timeout-minutes"], 10);
    const group = `monitor-${WORKFLOWS[key].file.replace(".yml", "")}`;
    assertEquals(job.concurrency, { group, "cancel-in-progress": false });
    const [checkout] = job.steps;
    assertEquals(checkout!.uses?.split("@")[0], "actions/checkout");
    const { ref, token, "fetch-depth": depth } = checkout!.with!;
    assertEquals([ref, token, depth], ["${{ github.ref_name }}", TOKEN, 1]);
  }
});

Deno.test("each job's token has only the permissions that it needs", async () => {
  const rights = await Promise.all(
    WORKFLOW_KEYS.map(async (key) => [key, (await madeWorkflow(key)).permissions]),
  );
  assertEquals(Object.fromEntries(rights), {
    uptime: { contents: "write", issues: "write" },
    responseTime: { contents: "write" },
    graphs: { contents: "write" },
    site: { contents: "write", issues: "read" },
    summary: { contents: "write", issues: "read" },
    setup: { contents: "write", issues: "read" },
  });
});

Deno.test("every command gets a token, and only update gets secrets", async () => {
  const handed = async (keys: Record<string, unknown>) => {
    const found = new Map<unknown, unknown>();
    for (const key of WORKFLOW_KEYS) {
      for (const { uses, with: given, env } of jobOf(await madeWorkflow(key, keys)).steps) {
        if (uses !== ACTION) continue;
        assertEquals(env?.["HOST_PAT"], TOKEN);
        found.set(given!["command"], env?.["SECRETS_CONTEXT"]);
      }
    }
    return Object.fromEntries(found);
  };
  const nothing = {
    ...{ "response-time": undefined, "graphs": undefined, "site": undefined },
    ...{ "readme": undefined, "update-template": undefined },
  };
  const all = { "update": "${{ toJSON(secrets) }}", ...nothing };
  assertEquals(await handed({ secrets: "all" }), all);
  const list = { "update": '{\n  "A": ${{ toJSON(secrets.A) }}\n}', ...nothing };
  assertEquals(await handed({ secrets: ["A"] }), list);
});

Deno.test("only self-hosted runners get the permission to ping, if a site needs it", async () => {
  const sites = [{ name: "Router", check: "icmp", url: "192.0.2.1" }];
  const command = async (top: Keys) =>
    jobOf(await madeWorkflow("uptime", top)).steps.flatMap(({ with: given }) =>
      given?.["command"] ?? []
    );
  assertEquals(await command({ sites, runner: "self-hosted" }), ["update-with-ping"]);
  assertEquals(await command({ sites }), ["update"]);
  assertEquals(await command({ runner: "self-hosted" }), ["update"]);
});

Deno.test("update gets the variables of heartbeats one by one, and no other command gets any", async () => {
  const backup = { check: "heartbeat", every: "1d", variable: "HEARTBEAT_BACKUP" };
  const sites = [
    { name: "Backup", ...backup },
    { name: "The same", ...backup },
    { name: "Import", ...backup, variable: "heartbeat_import" },
    { name: "File", check: "heartbeat", every: "1d", file: "beats/file.txt" },
    { name: "Event", check: "heartbeat", every: "1d", dispatch: "event" },
  ];
  for (const key of WORKFLOW_KEYS) {
    const steps = jobOf(await madeWorkflow(key, { sites })).steps;
    const passed = steps.flatMap(({ env = {} }) =>
      Object.entries(env).filter(([name, value]) => /HEARTBEAT|vars/.test(name + value))
    );
    assertEquals(
      passed,
      key !== "uptime" ? [] : [
        ["HEARTBEAT_BACKUP", "${{ vars.HEARTBEAT_BACKUP }}"],
        ["HEARTBEAT_IMPORT", "${{ vars.HEARTBEAT_IMPORT }}"],
        ["HEARTBEAT_DISPATCH", "${{ toJSON(github.event.client_payload) }}"],
      ],
    );
  }
});

Deno.test("the passed secrets are those in the configuration, unless it lists others", async () => {
  const context = async (keys: Record<string, unknown>) => {
    const { steps } = jobOf(await madeWorkflow("uptime", keys));
    return steps.find(({ uses }) => uses === ACTION)!.env!["SECRETS_CONTEXT"];
  };
  assertEquals(
    await context({ secrets: ["A", "B_2"] }),
    '{\n  "A": ${{ toJSON(secrets.A) }},\n  "B_2": ${{ toJSON(secrets.B_2) }}\n}',
  );
  assertEquals(await context({ secrets: [] }), undefined);
  const named = {
    sites: [
      { name: "$NAME", url: "https://$HOST/", headers: ["A: Bearer $API_TOKEN"] },
      { name: "B", url: "https://b.example", check: "tcp-ping", port: "$PORT", paused: true },
      { name: "C", url: "https://c.example", clientCertificate: "$CERT", clientKey: "$KEY" },
    ],
    defaults: { proxy: "http://$PROXY" },
    notifications: [
      { type: "slack", "webhook-url": "$SLACK_URL", on: ["up"], "message-template": "$SITE_NAME" },
    ],
    "heartbeat-url": "$HEARTBEAT",
  };
  const names = (text = "") => [...text.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name!);
  const own = ["API_TOKEN", "CERT", "HEARTBEAT", "HOST", "KEY", "PORT", "PROXY", "SLACK_URL"];
  const all = names(await context(named));
  assertEquals(all.slice(0, own.length), own);
  const others = all.slice(own.length);
  assert(others.length > 20);
  assertEquals(others.filter((name) => !/^(?:NOTIFICATION_|SLACK_)/.test(name)), []);
  assertEquals(names(await context({})), others);
  assertEquals(await context({ ...named, secrets: "auto" }), await context(named));
});

Deno.test("the page's branch is written with the token and keeps its commits", async () => {
  for (const key of ["site", "setup"] as const) {
    const deploy = async (keys: Record<string, unknown>) =>
      jobOf(await madeWorkflow(key, keys)).steps.find(({ uses }) => uses?.startsWith("peaceiris/"));
    const step = await deploy({});
    assertEquals(step?.uses, "peaceiris/actions-gh-pages@84c30a85c19949d7eee79c4ff27748b70285e453");
    const condition = "steps.page.outputs.publish == 'true' }}";
    assertEquals(
      step?.if,
      key === "site" ? `\${{ ${condition}` : `\${{ !cancelled() && ${condition}`,
    );
    assertEquals(step?.with, {
      github_token: TOKEN,
      publish_dir: "site/status-page/export",
      publish_branch: "gh-pages",
      force_orphan: false,
      user_name: "Monitor Action",
      user_email: "41898282+github-actions[bot]@users.noreply.github.com",
    });
    const other = await deploy({
      "status-website": { singleCommit: true },
      commitMessages: { commitAuthorName: "Jo: #1", commitAuthorEmail: "jo@a.example" },
    });
    const { force_orphan, user_name, user_email } = other!.with!;
    assertEquals([force_orphan, user_name, user_email], [true, "Jo: #1", "jo@a.example"]);
    assertEquals(await deploy({ skipGeneratingWebsite: true }), undefined);
  }
});

Deno.test("without a page, Static Site CI says so and does nothing else", async () => {
  const workflow = await madeWorkflow("site", { skipGeneratingWebsite: true });
  assertEquals(Object.keys(workflow.on), ["schedule", "workflow_dispatch", "repository_dispatch"]);
  assertEquals(jobOf(workflow).steps.map(({ name }) => name), ["Build no page"]);
});

Deno.test("Setup CI runs on a push of the configuration, starts Uptime CI and Graphs CI, and ignores a failure of that", async () => {
  const workflow = await madeWorkflow("setup", {}, { configFile: ".upptimerc.yml" });
  assertEquals(workflow.on["push"], { paths: [".upptimerc.yml"] });
  for (const key of ["uptime", "graphs"] as const) {
    const { name, event } = WORKFLOWS[key];
    const start = jobOf(workflow).steps.find((step) => step.name === `Start ${name}`);
    assertEquals([start?.["continue-on-error"], start?.env], [true, { TOKEN }]);
    assert(start!.run!.includes(`"event_type":"${event}"`));
    assert(!start!.run!.includes("${{"));
  }
});

Deno.test("the name of the configuration's file adds no line to a workflow", async () => {
  const usual = await madeWorkflow("uptime");
  const configFile = "a\non: push\n#\u2028.yml";
  assertEquals(await madeWorkflow("uptime", {}, { configFile }), usual);
});

Deno.test("jobs use the configured runners", async () => {
  const on = async (runner: unknown) =>
    Object.fromEntries(
      await Promise.all(
        WORKFLOW_KEYS.map(async (
          key,
        ) => [key, jobOf(await madeWorkflow(key, { runner }))["runs-on"]]),
      ),
    );
  const all = (labels: unknown) => Object.fromEntries(WORKFLOW_KEYS.map((key) => [key, labels]));
  assertEquals(await on("ubuntu-24.04"), all("ubuntu-24.04"));
  assertEquals(await on("[self-hosted, 'linux', ARM64]"), all(["self-hosted", "linux", "ARM64"]));
  assertEquals(await on({ uptime: ["self-hosted", "eu"], default: "mine" }), {
    ...all("mine"),
    uptime: ["self-hosted", "eu"],
  });
  assertEquals(await on({ uptime: "self-hosted" }), {
    ...all("ubuntu-latest"),
    uptime: "self-hosted",
  });
  assertEquals(await on("a ${{ secrets.A }}"), all("ubuntu-latest"));
});

Deno.test("Uptime CI checks out the folders of its checks, or everything if they are unknown", async () => {
  const checkout = async (folders: readonly string[] | "all") => {
    const { with: given } = jobOf(await madeWorkflow("uptime", {}, { folders })).steps[0]!;
    return [given!["sparse-checkout"], given!["filter"]];
  };
  assertEquals(await checkout(["certs/own"]), [
    "history/incidents\nhistory/state\ncerts/own\n",
    "blob:limit=100k",
  ]);
  assertEquals(await checkout("all"), [undefined, undefined]);
});

Deno.test("commands that read the history check all files out", async () => {
  const { files } = await madeWorkflows({}, { folders: ["certs/own"] });
  for (const key of WORKFLOW_KEYS.filter((key) => key !== "uptime")) {
    const { with: given } = jobOf(readWorkflow(files.get(workflowPath(key))!)).steps[0]!;
    assertEquals([given!["sparse-checkout"], given!["filter"]], [undefined, undefined], key);
  }
});

/** True if the job of a workflow runs for an event. */
async function runs(key: WorkflowKey, event_name: string, event: unknown): Promise<boolean> {
  const { if: condition = "${{ true }}" } = jobOf(await madeWorkflow(key));
  const github = { event_name, event, ref_name: "main" };
  return interpolate(condition, { github }) === "true";
}

const PUSH = { repository: { default_branch: "main" } };

Deno.test("Setup CI runs for a push to the default branch without [skip ci]", async () => {
  const cases: [boolean, string, unknown][] = [
    [true, "push", { ...PUSH, head_commit: { message: "Add a site" } }],
    [false, "push", { ...PUSH, head_commit: { message: "Add a site [skip ci]" } }],
    [false, "push", { repository: { default_branch: "other" }, head_commit: { message: "" } }],
    [true, "workflow_dispatch", {}],
    [true, "repository_dispatch", { action: "setup" }],
  ];
  for (const [expected, name, event] of cases) {
    assertEquals(await runs("setup", name, event), expected, JSON.stringify(event));
  }
});

Deno.test("Static Site CI runs for issues and comments on the page, and for all other events", async () => {
  const labeled = (...names: string[]) => ({ labels: names.map((name) => ({ name })) });
  const by = (author_association: string) => ({ author_association });
  const cases: [boolean, string, unknown][] = [
    [true, "schedule", { schedule: "0 1 * * *" }],
    [true, "repository_dispatch", {}],
    [false, "push", { head_commit: { message: "Draw graphs [skip ci]" } }],
    [true, "issues", { issue: labeled("shop", "status") }],
    [true, "issues", { issue: labeled("incident") }],
    [true, "issues", { issue: labeled("maintenance") }],
    [true, "issues", { issue: labeled(), label: { name: "maintenance" } }],
    [false, "issues", { issue: labeled("bug"), label: { name: "bug" } }],
    [false, "issues", { issue: labeled() }],
    [true, "issue_comment", { issue: labeled("status"), comment: by("MEMBER") }],
    [false, "issue_comment", { issue: labeled("status"), comment: by("NONE") }],
    [false, "issue_comment", { issue: labeled("bug"), comment: by("OWNER") }],
  ];
  for (const [expected, name, event] of cases) {
    assertEquals(await runs("site", name, event), expected, JSON.stringify(event));
  }
});

Deno.test("the page is published only if the build allows it", async () => {
  for (const key of ["site", "setup"] as const) {
    const { steps } = jobOf(await madeWorkflow(key));
    const [build, publish] = steps.slice(-2);
    const published = (outputs: unknown) =>
      interpolate(publish!.if!, { steps: { [build!.id!]: { outputs } } });
    assertEquals(published({ publish: "true" }), "true");
    assertEquals(published({ publish: "false" }), "false");
    assertEquals(published({}), "false");
  }
});

Deno.test("a failed step of Setup CI stops only steps that depend on it", async () => {
  const { steps } = jobOf(await madeWorkflow("setup"));
  const [, first, ...others] = steps;
  const after = { steps: { page: { outputs: { publish: "true" } } } };
  assertEquals(isMet(first!.if, after, "failure"), false);
  assertEquals(others.map(({ if: condition }) => isMet(condition, after, "failure")), [
    ...[true, true, true, true, true, true],
  ]);
  const unbuilt = { steps: { page: { outputs: {} } } };
  assertEquals(isMet(others.at(-1)!.if, unbuilt, "failure"), false);
});

Deno.test("a quoted text is one line that YAML reads back unchanged", () => {
  const text = fc.oneof(
    hostileText(),
    anyText(),
    fc.constantFrom("no", "0o7", ".nan", "~", "a\u0085b", "\ufeff${{", "12:30", "2026-11-21", "="),
  );
  fc.assert(fc.property(text, (given) => {
    const scalar = quoteYaml(given);
    assert(!/[\p{Cc}\u2028\u2029\ufeff]/u.test(scalar));
    for (
      const document of [`a: ${scalar} # b\n`, `a: [x, ${scalar}]\n`, `- a: ${scalar}\n  b: c\n`]
    ) {
      for (const read of [parse, (text: string) => parseOther(text)]) {
        const values = JSON.stringify(read(document));
        assert(
          values.includes(JSON.stringify(scalar.startsWith('"') ? JSON.parse(scalar) : scalar)),
        );
      }
    }
    assertEquals(interpolate(String(parse(scalar)), {}), given.toWellFormed());
  }));
});

Deno.test("every secret that sets up a channel by its name is passed with auto", () => {
  const asked = new Set<string>();
  for (const missing of ["", "NOTIFICATION_EMAIL_TO", "NOTIFICATION_EMAIL_FROM"]) {
    const channels = upptimeChannels((name) => {
      asked.add(name);
      return name === missing ? "" : "1";
    });
    for (const [, name] of JSON.stringify(channels).matchAll(/"\$(NOTIFICATION_\w+)"/g)) {
      asked.add(name!);
    }
  }
  assertEquals([...asked].sort(), [...UPPTIME_SECRETS].sort());
});

Deno.test("a secret is passed unchanged, and an unset one is not passed", async () => {
  const { steps } = jobOf(await madeWorkflow("uptime", { secrets: ["A", "B", "C"] }));
  const text = steps.find(({ uses }) => uses === ACTION)!.env!["SECRETS_CONTEXT"]!;
  const secrets = { A: 'a"b\n{}\\ ${{ x }}', B: "", HOST_PAT: "other" };
  assertEquals(parseSecretsContext(interpolate(text, { secrets })), { A: secrets.A });
});
