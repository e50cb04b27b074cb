import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { githubServer } from "../helpers/github_server.ts";
import { runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  commitFile,
  configText,
  pathsAt,
  status,
  tip,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { thoroughly } from "../helpers/thorough.ts";
import { writeHistory } from "../helpers/written_history.ts";

const CONFIG = configText({ Shop: "http://127.0.0.1:1", Forum: "http://127.0.0.1:2" });
const MARKED =
  "# Acme\r\n\r\nUp: <!--live status-->\r\n\r\n<!--start: status pages-->\r\n<!--end: status pages-->\r\n\r\nEnd";

/** A clone of a remote in which two sites were checked, one of which is down. */
async function clone(scratch: Scratch, files: Readonly<Record<string, string>>): Promise<string> {
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": CONFIG, ...files });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const to = Temporal.Now.instant().subtract({ minutes: 2 });
  const outages = [{ from: to.subtract({ minutes: 20 }) }];
  const span = { from: to.subtract({ hours: 5 }), to };
  await writeHistory(folder, [{ slug: "shop" }, { slug: "forum", outages }], span);
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Check");
  await git(folder, "push", "--quiet");
  return folder;
}

async function readme(folder: string, args: string[] = [], env = {}) {
  return await runTask("readme", { folder, args, env });
}

Deno.test("the README of the branch tells how all sites are, in a commit of its own; run again it stays, and so do the user's edits", async () => {
  await using scratch = await makeScratch();
  const folder = await clone(scratch, { "README.md": MARKED });
  const before = await tip(folder);
  const planned = await readme(folder, ["--dry-run"]);
  assertStringIncludes(planned.stdout, "--- README.md\n# Acme");
  assertEquals([await tip(folder), await status(folder)], [before, ""]);

  const first = await readme(folder, ["--json"]);
  assertEquals(first.code, 0, first.stderr);
  const { file, changed, overall, commit } = JSON.parse(first.stdout);
  assertEquals([file, changed, overall], ["README.md", true, "partialOutage"]);
  assertEquals([commit, await status(folder)], [
    await tip(join(scratch.path, "remote.git"), "main"),
    "",
  ]);
  assertEquals(
    await git(folder, "log", "-1", "--format=%s"),
    "Update the summary in the README [skip ci]",
  );
  const text = await Deno.readTextFile(join(folder, "README.md"));
  assertStringIncludes(text, "Up: <!--live status--> **🟧 Partial outage**\r\n");
  assertMatch(text, /^\| \[Shop\]\(http:\/\/127\.0\.0\.1:1\/\) \| 🟩&nbsp;Operational \| /m);
  assertMatch(text, /^\| \[Forum\]\(http:\/\/127\.0\.0\.1:2\/\) \| 🟥&nbsp;Down \| /m);
  assert(text.startsWith("# Acme\r\n\r\n") && text.endsWith("-->\r\n\r\nEnd"));
  assert(!/(?<!\r)\n/.test(text));

  await Deno.writeTextFile(join(folder, "README.md"), `${text} mine`);
  const second = await readme(folder);
  assertEquals([second.code, second.stdout], [
    0,
    "Summary of 2 sites in README.md: nothing new.\n",
  ]);
  assertStringIncludes(
    second.stderr,
    "README.md in this folder differs from the one of the branch",
  );
  assertEquals(await tip(folder), commit);
  assertEquals(await status(folder), " M README.md");
});

Deno.test("without a README or its markers nothing is written and the cure is named; --add-markers is it", async () => {
  await using scratch = await makeScratch();
  const folder = await clone(scratch, {});
  const before = await tip(folder);
  const none = await readme(folder);
  assertEquals([none.code, await tip(folder)], [2, before]);
  assertStringIncludes(none.stderr, "there is no README.md; --add-markers makes one");
  assertStringIncludes(none.stderr, "\n<!-- monitor: summary -->\n<!-- /monitor: summary -->\n");

  await Deno.writeTextFile(join(folder, "README.md"), MARKED);
  const ahead = await readme(folder, ["--add-markers"]);
  assertEquals([ahead.code, await tip(folder)], [2, before]);
  assertStringIncludes(ahead.stderr, "README.md is not committed as it is in this folder");
  await Deno.remove(join(folder, "README.md"));
  await Deno.mkdir(join(folder, ".github/workflows"), { recursive: true });
  await commitFile(folder, ".github/workflows/uptime.yml", "on: push\n");
  await git(folder, "push", "--quiet");

  const made = await readme(folder, ["--add-markers"]);
  assertEquals(made.code, 0, made.stderr);
  assert((await pathsAt(folder)).includes("README.md"));
  const text = await Deno.readTextFile(join(folder, "README.md"));
  assertMatch(text, /^# Status$/m);
  assertStringIncludes(
    text,
    "**Status:** <!-- monitor: live status --> **🟧 Partial outage**\n",
  );
  assertStringIncludes(text, "[`.monitorrc.yml`](.monitorrc.yml)");
  assertEquals(text.match(/workflows\/[^/]+\/badge\.svg/g), ["workflows/uptime.yml/badge.svg"]);
  assertStringIncludes((await readme(folder, ["--add-markers"])).stdout, "nothing new");
});

Deno.test("a README that is a link stays one", async () => {
  await using scratch = await makeScratch();
  const folder = await clone(scratch, { "acme.md": "# Acme\n" });
  await Deno.symlink("acme.md", join(folder, "README.md"));
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Link");
  const before = await tip(folder);
  const { code, stderr } = await readme(folder, ["--add-markers"]);
  assertEquals([code, await tip(folder)], [2, before]);
  assertStringIncludes(stderr, "README.md is no plain file; put one in its place");
});

Deno.test("in a folder of a repository, files follow with no more than the task may do", async () => {
  await using scratch = await makeScratch();
  const folder = await clone(scratch, {});
  const inner = join(folder, "ops", "status");
  await Deno.mkdir(inner, { recursive: true });
  await commitFile(inner, ".monitorrc.yml", CONFIG);
  await commitFile(inner, "README.md", "<!-- monitor: summary -->\n<!-- /monitor: summary -->\n");
  await git(folder, "push", "--quiet");
  const { code, stdout, stderr } = await readme(inner);
  assertEquals([code, stderr, await status(folder)], [0, "", ""]);
  assertStringIncludes(stdout, "README.md: written in");
});

Deno.test("the empty parts of the About box are filled in, and nothing is replaced", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const top = "status-website: { name: Acme, cname: status.acme.example }\nissues: false\n";
  const folder = join(scratch.path, "plain");
  await Deno.mkdir(folder);
  const config = join(folder, ".monitorrc.yml");
  await Deno.writeTextFile(config, CONFIG.replace("sites:", `${top}sites:`));
  await Deno.writeTextFile(join(folder, "readme.md"), "<!-- monitor: live status -->");
  const refused = await readme(folder, [], github.env);
  assertEquals(refused.code, 0, refused.stderr);
  assertStringIncludes(
    refused.stderr,
    'Cannot change the "About" box of the repository in acme/status: the account of the token may not write there; give it the role Admin',
  );
  assertStringIncludes(
    refused.stderr,
    "set skipDescriptionUpdate, skipHomepageUpdate and skipTopicsUpdate to true",
  );
  assertStringIncludes(
    refused.stderr,
    "readme.md has no place for the summary: --add-markers makes one, or put <!-- monitor: summary --> and <!-- /monitor: summary --> where it belongs",
  );
  assertEquals(
    await Deno.readTextFile(join(folder, "readme.md")),
    "<!-- monitor: live status --> <strong>⬜ No data yet</strong>",
  );

  const env = { ...github.env, HOST_PAT: github.account("acme").token };
  const planned = await readme(folder, ["--dry-run"], env);
  assertStringIncludes(planned.stdout, "The repository would get what it lacked: description (");
  const { stdout } = await readme(folder, ["--json"], env);
  const about = {
    description: "Uptime monitor and status page of Acme",
    homepage: "https://status.acme.example",
    topics: ["uptime-monitor", "status-page", "monitor-action"],
  };
  assertEquals(JSON.parse(stdout).about, about);
  assertEquals(await github.about(), about);

  github.requests.length = 0;
  await Deno.writeTextFile(
    config,
    (await Deno.readTextFile(config)).replace("name: Acme", "name: Other"),
  );
  await readme(folder, [], env);
  assertEquals(github.asked, ["GET /repos/acme/status"]);
  assertEquals([await github.about(), github.violations], [about, []]);
});

thoroughly(
  "a README in .github is filled before the one at the top, and graphs beside everything are linked from there",
  async () => {
    await using scratch = await makeScratch();
    const markers = "<!-- monitor: summary -->\n<!-- /monitor: summary -->\n";
    const folder = await clone(scratch, { "README.md": markers });
    await Deno.mkdir(join(folder, ".github"));
    await commitFile(folder, ".monitorrc.yml", `graphs: { branch: same }\n${CONFIG}`);
    await commitFile(folder, ".github/README.md", markers);
    await git(folder, "push", "--quiet");
    const { code, stdout, stderr } = await readme(folder);
    assertEquals(code, 0, stderr);
    assertStringIncludes(stdout, "in .github/README.md: written");
    const text = await Deno.readTextFile(join(folder, ".github", "README.md"));
    assertStringIncludes(text, 'src="../graphs/shop/response-time-week.png"');
    assertStringIncludes(text, "(../history/shop.yml)");
    assertEquals(await Deno.readTextFile(join(folder, "README.md")), markers);
  },
);

thoroughly("no secret is in a README, whatever it is in", async () => {
  await using scratch = await makeScratch();
  const secrets = { KEY: "s3cret-value", ADDRESS: "https://hidden.acme.example" };
  await scratch.write(
    ".monitorrc.yml",
    `i18n: { status: "State s3cret-value" }
sites:
  - { name: Hidden, url: $ADDRESS }
  - { name: Shop s3cret-value, slug: shop, group: s3cret-value, url: "https://example.com/?key=$KEY" }
`,
  );
  await scratch.write("README.md", "<!-- monitor: summary -->\n<!-- /monitor: summary -->\n");
  const ended = await readme(scratch.path, [], { SECRETS_CONTEXT: JSON.stringify(secrets) });
  assertEquals(ended.code, 0, ended.stderr);
  const text = await Deno.readTextFile(join(scratch.path, "README.md"));
  assertStringIncludes(text, "Shop \\*\\*\\*");
  for (const secret of Object.values(secrets)) assert(!text.includes(secret), text);
});
