import { validateWorkflow } from "@action-validator/core";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { isExampleOnly } from "../lib/config/load.ts";
import { parseConfig } from "../lib/config/parse.ts";
import { ANNOUNCE, WORKFLOW_KEYS, workflowPath } from "../lib/config/workflows.ts";
import { isUneditedExample } from "../templates/first_config.ts";
import { SETUP_EXAMPLE, templateFiles, writeTemplate } from "../tools/template.ts";
import { runTask } from "./helpers/program.ts";
import { makeRepository, tip } from "./helpers/repositories.ts";
import { makeScratch, type Scratch } from "./helpers/scratch.ts";

const FILES = await templateFiles();

Deno.test("the template has a configuration, all workflows, a README and attributes", async () => {
  const { path, incidentForm, maintenanceForm } = ANNOUNCE;
  const paths = [".monitorrc.yml", "README.md", ".gitattributes"]
    .concat(path, incidentForm, maintenanceForm);
  assertEquals([...FILES.keys()].sort(), [...paths, ...WORKFLOW_KEYS.map(workflowPath)].sort());
  const text = FILES.get(".monitorrc.yml")!;
  const { config, problems } = await parseConfig(text);
  assertEquals(problems, []);
  assert(isExampleOnly(config!) && isUneditedExample(text));
  for (const key of WORKFLOW_KEYS) {
    assertEquals(validateWorkflow(FILES.get(workflowPath(key))!).errors, []);
  }
  assertStringIncludes(FILES.get(workflowPath("uptime"))!, "${{ toJSON(secrets) }}");
});

Deno.test("the template's README links the two remaining steps", () => {
  const readme = FILES.get("README.md")!;
  assertStringIncludes(readme, "\n1. [Edit `.monitorrc.yml`](../../edit/main/.monitorrc.yml)");
  assertStringIncludes(readme, "\n2. [Publish the page](../../settings/pages)");
  assertStringIncludes(readme, "<!-- monitor: summary -->");
  assert(readme.split("\n").every((line) => line.length <= 200));
});

Deno.test("the template replaces files of an older one, and keeps other files", async () => {
  await using scratch = await makeScratch();
  await Deno.mkdir(join(scratch.path, ".github/workflows"), { recursive: true });
  await scratch.write(".github/workflows/gone.yml", "old");
  await scratch.write("README.md", "old");
  await scratch.write("LICENSE", "own");
  await writeTemplate(scratch.path);
  assertEquals(await scratch.read("README.md"), FILES.get("README.md"));
  assertEquals(await scratch.read("LICENSE"), "own");
  const names = await Array.fromAsync(Deno.readDir(join(scratch.path, ".github/workflows")));
  assertEquals(names.length, WORKFLOW_KEYS.length + 1);
});

/** A repository with the files of the template. */
async function copy({ path }: Scratch, config = FILES.get(".monitorrc.yml")!): Promise<string> {
  await writeTemplate(join(path, "copy"));
  return await makeRepository(join(path, "copy"), { ".monitorrc.yml": config });
}

Deno.test("every job of an unedited copy prints one line, and changes nothing", async () => {
  await using scratch = await makeScratch();
  const folder = await copy(scratch);
  const before = await tip(folder);
  const jobs = [
    "update",
    "response-time",
    "graphs",
    "site",
    "readme",
    "update-template",
    "validate",
  ];
  for (const job of jobs) {
    const env = { GITHUB_ACTIONS: "true" };
    const stdout = "Nothing is checked yet: edit .monitorrc.yml\n";
    assertEquals(await runTask(job, { folder, env }), { code: 0, stdout, stderr: "" }, job);
    const summary = await Deno.readTextFile(join(folder, ".git/monitor/summary.md"));
    assertEquals(summary, `### ${stdout}`);
  }
  assertEquals(await tip(folder), before);
  const { stdout } = await runTask("update", { folder, args: ["--json"] });
  assertEquals(JSON.parse(stdout), { note: "Nothing is checked yet: edit .monitorrc.yml" });
});

Deno.test("when the sites of a copy are edited, its workflows need no change", async () => {
  await using scratch = await makeScratch();
  const text = FILES.get(".monitorrc.yml")!
    .replace("https://your-website.example", "https://shop.example.com")
    .replaceAll(/^#(?=notifications| {2}- type| {4}(?:webhook-url|on):)/gm, "");
  const folder = await copy(scratch, text);
  const { config } = await parseConfig(text);
  assertEquals([config!.sites[0]!.url, config!.notifications.length], [
    "https://shop.example.com",
    1,
  ]);
  const { code, stdout } = await runTask("update-template", { folder, args: ["--dry-run"] });
  assertEquals(code, 0);
  assertStringIncludes(stdout, ": nothing new.");
});

Deno.test("the example of Setup CI is that of the template (deno task template)", async () => {
  assertEquals(await Deno.readTextFile(SETUP_EXAMPLE), FILES.get(workflowPath("setup")));
});
