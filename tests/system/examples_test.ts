import { validateWorkflow } from "@action-validator/core";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, join } from "node:path";
import { cadence } from "../../lib/config/schedule.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import { VERSION } from "../../lib/version.ts";
import { makeCertificate } from "../helpers/certificates.ts";
import { githubServer } from "../helpers/github_server.ts";
import { blocksOf, readDoc } from "../helpers/docs.ts";
import { PROJECT } from "../helpers/program.ts";
import { runWorkflow, type WorkflowRun } from "../helpers/runner/workflow.ts";
import { withTools } from "../helpers/runner/with_tools.ts";
import { makeScratch, type Scratch } from "../helpers/scratch.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";
import { complaintsAbout } from "../helpers/workflow_checks.ts";

const FOLDER = join(PROJECT, "templates", "examples");
const WORKFLOWS = ["token_refresh.yml", "self_hosted.yml", "incident_issues.yml"];
const PATH = [dirname(Deno.execPath()), "/usr/local/bin", "/usr/bin", "/bin"].join(":");
const SECRETS = {
  OAUTH_CLIENT_ID: "cl1ent&id",
  OAUTH_CLIENT_SECRET: "cl1ent=secret %+",
  OAUTH_REFRESH_TOKEN: "r3fresh-old",
};

function example(name: string): Promise<string> {
  return Deno.readTextFile(join(FOLDER, name));
}

/** Runs a workflow of the examples, and returns its output as one text. */
async function runExample(run: Omit<WorkflowRun, "env">) {
  const { status, steps } = await runWorkflow({ ...run, env: { HOST_PAT: "", PATH } });
  return { status, log: steps.map(({ stdout }) => stdout).join("") };
}

Deno.test("the workflows among the examples are valid by schema, linter and language service of GitHub, and pin this version", async () => {
  for (const name of WORKFLOWS) {
    const text = await example(name);
    assertEquals(validateWorkflow(text).errors, [], name);
    const complaints = await complaintsAbout(text, `.github/workflows/${name}`);
    // The linter does not support variables of a repository, which GitHub's own service does.
    assertEquals(complaints.filter((one) => !one.includes('undefined variable "vars"')), [], name);
    for (const [, used] of text.matchAll(/uses: (.*)/g)) {
      assertEquals(used, `monitor-action/monitor-action@v${VERSION}`);
    }
    for (const script of text.split(/^ +run: \|\n/m).slice(1)) {
      const [body] = script.split(/^ {0,9}\S/m);
      assert(!body!.includes("${{"), `an expression in a script of ${name}`);
    }
  }
});

Deno.test("the docs link to every example", async () => {
  const text = await readDoc("docs/operations.md");
  const files = (await Array.fromAsync(Deno.readDir(FOLDER))).map(({ name }) => name);
  assert(WORKFLOWS.every((name) => files.includes(name)));
  assertEquals(files.filter((name) => !text.includes(`](../templates/examples/${name})`)), []);
});

Deno.test("the example configuration has no problems", async () => {
  const { config, problems } = await parseConfig(await example("self_hosted.monitorrc.yml"));
  assertEquals(problems.filter(({ severity }) => severity !== "notice"), []);
  assertEquals(config!.sites.length, 2);
});

/** Runs the token refresh against an identity provider that gives an answer. */
async function refresh(
  scratch: Scratch,
  answer: { status: number; body: string },
  { secrets = {}, ...more }: { secrets?: Record<string, string>; token?: string } = {},
) {
  await using provider = await vendorServer(answer);
  await using github = await githubServer();
  const HOST_PAT = more.token ?? github.token;
  const result = await runExample({
    text: await example("token_refresh.yml"),
    event: { name: "schedule" },
    vars: { OAUTH_URL: `${provider.url}/oauth2` },
    secrets: { ...SECRETS, HOST_PAT, ...secrets },
    workspace: scratch.path,
    github,
  });
  const shown = result.log.replaceAll(/^::add-mask::.*\n/gm, "");
  for (const value of [...Object.values(SECRETS), HOST_PAT, "n3w"]) {
    assert(!shown.includes(value), `${value} in the log`);
  }
  assertEquals(github.violations, []);
  const { settings } = github;
  const saved = [...settings.sealed.keys()].map((name) => [name, settings.secret(name)]);
  return { ...result, saved, asked: provider.seen };
}

withTools(
  "the token refresh asks as the specification says, and saves the sealed tokens, the one it needs next time first",
  async () => {
    await using scratch = await makeScratch();
    const given = {
      access_token: "n3w.access%41",
      refresh_token: "r3fresh-n3w",
      expires_in: 28800,
    };
    const { status, saved, asked, log } = await refresh(scratch, {
      status: 200,
      body: JSON.stringify(given),
    });
    assertEquals(status, "success", log);
    assertEquals(asked.length, 1);
    const [{ method, path, headers, text }] = asked as [typeof asked[number]];
    assertEquals([method, path, headers["content-type"]], [
      "POST",
      "/oauth2/token",
      "application/x-www-form-urlencoded",
    ]);
    assertEquals(Object.fromEntries(new URLSearchParams(text)), {
      grant_type: "refresh_token",
      client_id: SECRETS.OAUTH_CLIENT_ID,
      client_secret: SECRETS.OAUTH_CLIENT_SECRET,
      refresh_token: SECRETS.OAUTH_REFRESH_TOKEN,
    });
    assertEquals(saved, [
      ["OAUTH_REFRESH_TOKEN", given.refresh_token],
      ["OAUTH_ACCESS_TOKEN", given.access_token],
    ]);
    assertStringIncludes(log, "::add-mask::n3w.access%2541\n::add-mask::r3fresh-n3w\n");
  },
);

withTools(
  "the token refresh saves only the access token if the refresh token is unchanged",
  async () => {
    await using scratch = await makeScratch();
    for (const more of [{}, { refresh_token: SECRETS.OAUTH_REFRESH_TOKEN }]) {
      const body = JSON.stringify({ access_token: "n3w", ...more });
      const { status, saved, log } = await refresh(scratch, { status: 200, body });
      assertEquals([status, saved], ["success", [["OAUTH_ACCESS_TOKEN", "n3w"]]], log);
    }
  },
);

withTools(
  "the token refresh fails aloud, saves nothing and shows no secret, whatever the provider answers",
  async () => {
    await using scratch = await makeScratch();
    const refused = JSON.stringify({
      error: "invalid_grant",
      error_description: `${SECRETS.OAUTH_REFRESH_TOKEN} is unknown`,
    });
    const cases: [answer: { status: number; body: string }, why: string][] = [
      [{ status: 400, body: refused }, "refused (answered 400, invalid_grant)"],
      [{ status: 500, body: "<html>n3w</html>" }, "refused (answered 500)"],
      [{ status: 302, body: "" }, "refused (answered 302)"],
      [{ status: 200, body: "" }, "gave no access_token"],
      [{ status: 200, body: '{"access_token": 7}' }, "gave no access_token"],
      [{ status: 200, body: '{"access_token": "n3w\\naccess_token=n3w"}' }, "gave no access_token"],
    ];
    for (const [answer, why] of cases) {
      const { status, saved, log, asked } = await refresh(scratch, answer);
      assertEquals([status, saved, asked.length], ["failure", [], 1], why);
      assertStringIncludes(log, `::error title=Token Refresh::The identity provider ${why}`);
    }
  },
);

withTools(
  "the token refresh keeps a new refresh token even if it fails, because the old one may be invalid",
  async () => {
    await using scratch = await makeScratch();
    const body = JSON.stringify({ access_token: null, refresh_token: "r3fresh-n3w" });
    const { status, saved, log } = await refresh(scratch, { status: 200, body });
    assertEquals([status, saved], ["failure", [["OAUTH_REFRESH_TOKEN", "r3fresh-n3w"]]]);
    assertStringIncludes(log, "gave no access_token");
  },
);

withTools("the token refresh asks for nothing that could not be saved", async () => {
  await using scratch = await makeScratch();
  const answer = { status: 200, body: '{"access_token": "n3w"}' };
  const cases: [Parameters<typeof refresh>[2], why: string][] = [
    [{ token: "ghs_JobJobJobJobJob" }, "HOST_PAT may not save secrets (answered 403)"],
    [{ token: "ghp_wrongwrongwrong" }, "HOST_PAT may not save secrets (answered 401)"],
    [{ secrets: { HOST_PAT: "" } }, "HOST_PAT is empty"],
    [{ secrets: { OAUTH_CLIENT_ID: "" } }, "CLIENT_ID is empty"],
  ];
  for (const [more, why] of cases) {
    const { status, saved, log, asked } = await refresh(scratch, answer, more);
    assertEquals([status, saved, asked.length], ["failure", [], 0], why);
    assertStringIncludes(log, `::error title=Token Refresh::${why}`);
  }
});

withTools(
  "the example for issues reports only incidents, and executes nothing from a title",
  async () => {
    await using scratch = await makeScratch();
    await using hook = await vendorServer({ status: 204 });
    const title = '🛑 $(touch x) `touch y` "; touch z #\n::error::no';
    const text = await example("incident_issues.yml");
    const run = (author_association: string, ...labels: string[]) => {
      const issue = {
        ...{ number: 7, title, html_url: "https://github.com/acme/status/issues/7" },
        author_association,
        labels: labels.map((name) => ({ name })),
      };
      const secrets = { INCIDENT_URL: `${hook.url}/incident?key=1` };
      const event = { name: "issues", payload: { action: "opened", issue } };
      return runExample({ text, event, secrets, workspace: scratch.path });
    };
    assertEquals(await run("OWNER", "status", "shop"), { status: "success", log: "" });
    assertEquals(hook.seen.map(({ path, json }) => [path, json]), [["/incident", {
      event: "opened",
      issue: 7,
      title,
      url: "https://github.com/acme/status/issues/7",
      sites: ["shop"],
    }]]);
    assertEquals((await run("NONE", "status", "shop")).status, "skipped");
    assertEquals((await run("OWNER", "question")).status, "skipped");
    assertEquals(await Array.fromAsync(Deno.readDir(scratch.path)), []);
  },
);

withTools(
  "the example for a self-hosted runner reports a changed address and expiring certificates",
  async () => {
    await using scratch = await makeScratch();
    await using asked = await vendorServer({ status: 200, body: "203.0.113.7\n" });
    const folder = scratch.path;
    const text = (await example("self_hosted.yml")).replaceAll("/etc/monitor", folder)
      .replace("https://checkip.amazonaws.com", asked.url);
    const event = { name: "workflow_dispatch" };
    const run = (RUNNER_ADDRESS: string) =>
      runExample({ text, event, vars: { RUNNER_ADDRESS }, workspace: folder });
    const good = makeCertificate({ to: 60 });
    await scratch.write("client.crt", good.cert);
    await scratch.write("client.key", good.key);
    await scratch.write("authority.crt", good.cert);
    assertEquals(await run("203.0.113.7"), { status: "success", log: "" });
    const other = await run("203.0.113.8");
    assertEquals(other.status, "failure");
    assertStringIncludes(other.log, "address is 203.0.113.7, but RUNNER_ADDRESS is 203.0.113.8\n");
    await scratch.write("client.crt", makeCertificate({ to: 10 }).cert);
    await Deno.remove(join(folder, "client.key"));
    const ending = await run("203.0.113.7");
    assertEquals(ending.status, "failure");
    assertStringIncludes(ending.log, "client.crt can't be read, or expires within two weeks");
    assertStringIncludes(ending.log, "client.key can't be read by ");
  },
);

withTools("the script for an outside scheduler starts checks by repository dispatch", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await scratch.write("dispatch.sh", await example("outside_scheduler.sh"));
  await scratch.write("token", `${github.token}\n`);
  const run = async (more: Record<string, string> = {}, ...args: string[]) => {
    const { code, stdout, stderr } = await new Deno.Command("/bin/sh", {
      args: [join(scratch.path, "dispatch.sh"), ...args],
      clearEnv: true,
      env: {
        PATH,
        MONITOR_REPOSITORY: github.repository,
        MONITOR_TOKEN_FILE: join(scratch.path, "token"),
        GITHUB_API_URL: github.url,
        ...more,
      },
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, said: text(stdout) + text(stderr) };
  };
  assertEquals(await run(), { code: 0, said: "" });
  assertEquals(await run({}, "static_site"), { code: 0, said: "" });
  assertEquals(github.dispatched, ["uptime", "static_site"]);

  const doc = await readDoc("docs/schedule.md");
  const inDoc = async (command: string) => {
    const { code, stderr } = await new Deno.Command("/bin/bash", {
      args: ["-c", command.replaceAll("acme/status", github.repository)],
      clearEnv: true,
      env: { PATH, TOKEN: github.token, HOME: scratch.path, GITHUB_API_URL: github.url },
    }).output();
    assertEquals(code, 0, new TextDecoder().decode(stderr));
  };
  const curl = blocksOf(doc, "sh").find((block) => block.includes("/dispatches"))!;
  await inDoc(curl.replace("https://api.github.com", github.url));
  assertEquals(github.dispatched.slice(2), ["uptime"]);
  const [, times, command] = /^((?:\S+ ){4}\S+) (MONITOR_REPOSITORY=.*)$/m.exec(doc)!;
  assertEquals(cadence(times!).words, "every 5 minutes");
  await Deno.mkdir(join(scratch.path, ".config"));
  await scratch.write(".config/monitor-token", github.token);
  const script = join(scratch.path, "dispatch.sh");
  await inDoc(command!.replace("/usr/local/bin/monitor-dispatch", `sh ${script}`));
  assertEquals(github.dispatched.slice(3), ["uptime"]);
  assertStringIncludes((await run({ MONITOR_REPOSITORY: "" })).said, "set it to owner/name");
  await scratch.write("token", "ghp_wrongwrongwrong");
  const refused = await run();
  assert(refused.code !== 0);
  assertStringIncludes(refused.said, "401");
  assertEquals(github.violations, []);
});
