import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { FAULTS, githubServer, refusalOf } from "../helpers/github_server.ts";
import { keptFiles } from "../helpers/kept_files.ts";
import { namesIn } from "../helpers/names_in.ts";
import { runProcess, runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  configText,
  makeRepository,
  remoteAndClone,
  status,
  tip,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { asked, askedAt, NOWHERE, REPOSITORY } from "../helpers/site_rig.ts";

Deno.test("a configuration below the top of its repository has no summary that others could read there", async () => {
  await using github = await githubServer();
  const { summary, stderr } = await asked(github.env, { below: "eu" });
  assertEquals(summary, "summary.json");
  assertStringIncludes(stderr, "the configuration is not at the top of the repository");
});

Deno.test("a private repository's page is published only if configured, and its visibility is read at most once", async () => {
  const live = "pages: { live: repository }\n";
  const published = "status-website: { publish: true }\n";
  const cases: [isPrivate: boolean, top: string, publish: boolean, asked: number][] = [
    [false, "", true, 1],
    [false, live, true, 1],
    [true, "", false, 1],
    [true, live, false, 1],
    [true, published, true, 1],
    [true, `${published}${live}`, true, 1],
  ];
  await using scratch = await makeScratch();
  for (const [index, [isPrivate, top, publish, asked]] of cases.entries()) {
    await using github = await githubServer();
    github.state.isPrivate = isPrivate;
    const folder = await makeRepository(join(scratch.path, `${index}`), {
      ".monitorrc.yml": configText({ Shop: NOWHERE }, `issues: false\n${top}`),
    });
    const env = { ...github.env, GITHUB_ACTIONS: "true" };
    const { code, stdout } = await runTask("site", { folder, env });
    assertEquals(code, 0, stdout);
    const outputs = await Deno.readTextFile(join(folder, ".git", "monitor", "outputs"));
    assertEquals(outputs, `publish=${publish}\n`, top);
    assertEquals(stdout.includes("The page is not published"), !publish, stdout);
    assertEquals(github.asked.filter((one) => one === REPOSITORY).length, asked, top);
  }
});

Deno.test("unknown visibility counts as private: without a token, if refused, or if GitHub fails", async () => {
  const without = await asked({ GITHUB_REPOSITORY: "acme/status" });
  const refused = await askedAt((github) =>
    github.fault(REPOSITORY, refusalOf(404, "Not Found"), { times: 99 })
  );
  const failing = await askedAt((github) =>
    github.fault(REPOSITORY, FAULTS.serverError, { times: 99 })
  );
  for (const { summary, sources, stderr } of [without, refused, failing]) {
    assertEquals([summary, sources], ["summary.json", "'self'"]);
    assertStringIncludes(stderr, "warning: pages.live is page and not repository here: ");
  }
  assertStringIncludes(without.stderr, "no token is set; set HOST_PAT or GITHUB_TOKEN");
  assertStringIncludes(failing.stderr, "500");
});

Deno.test("the first page after an outage has its issue and comments everywhere, and a second build is identical", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const { folder } = await remoteAndClone(scratch, configText({ Shop: "http://127.0.0.1:1" }));
  const run = async (task: string) => {
    const { code, stdout, stderr } = await runTask(task, { folder, env: github.env });
    assertEquals(code, 0, stderr);
    return stdout;
  };
  await run("update");
  await github.person("acme").comment(1, "Investigating: <script>alert(1)</script>");
  await run("site");
  const place = join(folder, "site/status-page/export");
  const page = await keptFiles(place);
  const [{ issue, incident }] = JSON.parse(page.get("summary.json")!.text);
  assertEquals(issue, 1);
  const html = page.get(`incident/${incident}/index.html`)!.text;
  assertStringIncludes(html, "Investigating <time");
  assertEquals(html.includes("<script>"), false);
  assertEquals((await namesIn(join(place, "incident"))).sort(), ["1", incident]);
  assertStringIncludes(await run("site"), "nothing changed");
  assertEquals(await keptFiles(place), page);
  assertEquals(github.violations, []);
});

Deno.test("git ignores the page of a clone, also below the root and in a shallow clone", async () => {
  await using scratch = await makeScratch();
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": configText({ Shop: NOWHERE }),
  });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"), "--depth=1");
  await Deno.mkdir(join(folder, "other [x]"));
  await Deno.copyFile(join(folder, ".monitorrc.yml"), join(folder, "other [x]", ".monitorrc.yml"));
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Monitor another folder");
  const before = await tip(remote, "main");
  assertEquals((await runTask("site", { folder })).stderr, "");
  assertEquals([await status(folder), await tip(remote, "main")], ["", before]);
  // The program may write only in that folder.
  const below = await runProcess("site", { folder: join(folder, "other [x]") });
  assertStringIncludes(
    below.stderr,
    "write /other \\[x]/site/status-page/export/** into a .gitignore at the top of the repository",
  );

  await git(folder, "add", "--force", "site/status-page/export");
  assertStringIncludes(
    (await runTask("site", { folder })).stderr,
    "to keep them out of it: git rm -r -q --cached site/status-page/export",
  );
});
