import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { githubServer } from "../helpers/github_server.ts";
import { runTask } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { thoroughly } from "../helpers/thorough.ts";

const VALUE = "s3cret väl\nue";

Deno.test("set-secret seals what is piped in, so that GitHub alone can open it", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const { settings } = github;
  const run = (args: string[], more: { input?: string; env?: Record<string, string> } = {}) =>
    runTask("set-secret", {
      folder: scratch.path,
      args,
      input: more.input ?? VALUE,
      env: { ...github.env, ...more.env },
    });
  const first = await run(["api_token"], { input: `${VALUE}\n` });
  assertEquals([first.code, first.stdout, first.stderr], [
    0,
    "Saved API_TOKEN as a new secret of acme/status.\n",
    "",
  ]);
  assertEquals(settings.secret("API_TOKEN"), VALUE);
  const second = await run(["API_TOKEN", "--json"], { input: "another" });
  assertEquals(JSON.parse(second.stdout), {
    secret: "API_TOKEN",
    repository: "acme/status",
    sent: true,
    new: false,
  });
  assertEquals(settings.secret("API_TOKEN"), "another");
  const dry = await run(["OTHER", "--dry-run"]);
  assertMatch(dry.stdout, /^Nothing was sent; the value is sealed, and would become the secret/);
  assertEquals([...settings.sealed.keys()], ["API_TOKEN"]);
  assert(!JSON.stringify(github.requests).includes("s3cret"));
  assertEquals(github.violations, []);
});

Deno.test("set-secret says what is missing, and repeats nothing that may be the value", async () => {
  await using scratch = await makeScratch();
  const refusals: [args: string[], env: Record<string, string>, message: RegExp][] = [
    [["API_TOKEN", VALUE], {}, /more than a name; the value is read from stdin/],
    [["API_TOKEN", `--value=${VALUE}`], {}, /Cannot understand --value: --help lists/],
    [["2FA"], {}, /doesn't begin with a digit \(set-secret NAME\)/],
    [["API_TOKEN"], {}, /there is no token; set HOST_PAT/],
  ];
  for (const [args, env, message] of refusals) {
    const { code, stdout, stderr } = await runTask("set-secret", {
      ...{ folder: scratch.path, args, input: VALUE },
      env: { GITHUB_REPOSITORY: "acme/status", ...env },
    });
    assertEquals([code, stdout], [2, ""]);
    assertMatch(stderr, message);
    assert(!stderr.includes("s3cret"));
  }
});

thoroughly("set-secret names the right that a token lacks", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const bot = github.account("monitor-bot");
  const job = github.account("github-actions[bot]");
  const run = async (token: string) => {
    const env = { ...github.env, HOST_PAT: token };
    const options = { folder: scratch.path, args: ["A"], input: VALUE, env };
    const { code, stderr } = await runTask("set-secret", options);
    assertEquals(code, 1);
    assert(!stderr.includes("s3cret"));
    return stderr;
  };
  assertStringIncludes(
    await run(job.token),
    "the job's own token is never allowed to (secrets: read); save a token of your own with the scope repo as the secret HOST_PAT",
  );
  bot.scopes = ["read:user"];
  assertMatch(await run(bot.token), /only the scope read:user; give it the scope repo/);
  assertEquals([...github.settings.sealed.keys()], []);
});

thoroughly("set-secret masks the value on GitHub, line by line", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const { stdout } = await runTask("set-secret", {
    ...{ folder: scratch.path, args: ["A"], input: VALUE },
    env: { ...github.env, GITHUB_ACTIONS: "true" },
  });
  const masks = stdout.split("\n").filter((line) => line.startsWith("::add-mask::"));
  assertEquals(masks, ["::add-mask::s3cret väl%0Aue", "::add-mask::s3cret väl"]);
  assertEquals(stdout.replaceAll(/^::add-mask::.*\n/gm, "").includes("s3cret"), false);
});
