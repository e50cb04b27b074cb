import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { namesIn } from "../../helpers/names_in.ts";
import { keptFiles } from "../../helpers/kept_files.ts";
import { githubServer } from "../../helpers/github_server.ts";
import { runTask } from "../../helpers/program.ts";
import { cloneRemote, configText } from "../../helpers/repositories.ts";
import { makeRemote, makeScratch } from "../../helpers/scratch.ts";

Deno.test("the first page after an outage has its issue and what people wrote there everywhere, and the next one is the same", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": configText({ Shop: "http://127.0.0.1:1" }),
  });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
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
  const told = page.get(`incident/${incident}/index.html`)!.text;
  assertStringIncludes(told, "Investigating</h3>");
  assertEquals(told.includes("<script>"), false);
  assertEquals((await namesIn(join(place, "incident"))).length, 1);
  assertStringIncludes(await run("site"), "nothing changed");
  assertEquals(await keptFiles(place), page);
  assertEquals(github.violations, []);
});
