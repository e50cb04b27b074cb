import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { workflowPath, WORKFLOWS } from "../../lib/config/workflows.ts";
import { actionReference } from "../../lib/setup/workflow_settings.ts";
import { githubServer } from "../helpers/github_server.ts";
import { pathsAt, tip } from "../helpers/repositories.ts";
import { runWorkflow, type WorkflowEvent } from "../helpers/runner/workflow.ts";
import { withTools } from "../helpers/runner/with_tools.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { makeUpptimeRepository, upptimeRecord } from "../helpers/upptime_repository.ts";
import { renderImportWorkflow } from "../../templates/workflows/import.ts";

const IMPORT = ".github/workflows/import.yml";

withTools("one button moves a repository of Upptime: press, wait, look at the page", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await using site = httpServer(() => new Response("ok"));
  const url = site.url;
  const own = join(scratch.path, "own");
  const remote = join(scratch.path, "status.git");
  const uses = (name: string) =>
    `name: ${name}\non: workflow_dispatch\njobs:\n  a:\n    steps:\n      - uses: upptime/x@v1\n`;
  // The emulated GitHub gives an issue the time at which it is opened.
  const down = new Date(Date.now() - 60_000).toISOString();
  const record = (at: string, rest = {}) => upptimeRecord({ url, at, ...rest });
  const config = `owner: acme\nrepo: status\nsites:\n  - name: Shop\n    url: ${url}\n` +
    "retry: { delays: [0.05] }\nrecheckDelay: 0.05\ncanaries: []\n";
  await makeUpptimeRepository(own, [
    {
      at: "2026-03-01T00:00:00Z",
      files: {
        ".upptimerc.yml": config,
        "README.md": "# Status\n<!--start: status pages-->\n<!--end: status pages-->\n",
        [IMPORT]: renderImportWorkflow(actionReference({}, {})),
        ".github/workflows/uptime.yml": uses("Uptime CI"),
        ".github/workflows/updates.yml": uses("Updates CI"),
        "history/shop.yml": record("2026-03-01T00:00:00.000Z"),
        "history/gone.yml": record("2026-03-01T00:00:01.000Z", { url: `${url}gone` }),
        "graphs/shop/response-time.png": "PNG",
      },
    },
    {
      at: down,
      files: { "history/shop.yml": record(down, { status: "down", code: 0, ms: 0 }) },
    },
  ]);
  await git(scratch.path, "clone", "--quiet", "--bare", own, remote);
  const commit = (await tip(own)).slice(0, 7);
  const number = await github.person("acme").open({
    title: "🛑 Shop is down",
    body: `In [\`${commit}\`](https://github.com/acme/status/commit/${commit}), Shop was **down**`,
    labels: ["status", "shop"],
  });
  await github.person("acme").close(number);

  const tools = join(scratch.path, "tools");
  await Deno.mkdir(tools);
  await Deno.symlink(Deno.execPath(), join(tools, "deno"));
  const env = { PATH: `${tools}:/usr/local/bin:/usr/bin:/bin` };
  const secrets = { GH_PAT: github.token, HOST_PAT: github.token };
  const at = (branch: string, path: string) => git(remote, "show", `${branch}:${path}`);
  const run = async (path: string, event: WorkflowEvent) => {
    const text = await at("main", path);
    const { status, steps } = await runWorkflow({ text, event, remote, secrets, github, env });
    assertEquals(
      status,
      "success",
      steps.map(({ name, stdout }) => `${name}: ${stdout}`).join("\n"),
    );
    return steps;
  };

  const steps = await run(IMPORT, { name: "workflow_dispatch" });
  assertEquals(steps.map(({ isSkipped }) => isSkipped), [false, false, false]);
  assertStringIncludes(steps[1]!.summary, "3 versions of 2 sites");
  assertEquals(github.dispatched, [WORKFLOWS.setup.event]);
  const paths = await pathsAt(remote, "main");
  for (const gone of [IMPORT, ".upptimerc.yml", ".github/workflows/updates.yml"]) {
    assert(!paths.includes(gone), gone);
  }
  assert(paths.includes("graphs/shop/response-time.png"));
  assertStringIncludes(await at("main", workflowPath("uptime")), "monitor-action@v");
  const [incident] = paths.filter((path) => path.startsWith("history/incidents/"));
  assertStringIncludes(await at("main", incident!), `issue: ${number}`);

  await run(workflowPath("uptime"), { name: "schedule" });
  await run(workflowPath("setup"), {
    name: "repository_dispatch",
    payload: { action: WORKFLOWS.setup.event, repository: { default_branch: "main" } },
  });
  assertStringIncludes(await at("gh-pages", "index.html"), "All systems operational");
  assertStringIncludes(await at("gh-pages", "history/shop/index.html"), "Shop");
  const [id] = /[^/]+(?=\.yml$)/.exec(incident!)!;
  assertStringIncludes(await at("gh-pages", `incident/${number}/index.html`), `../${id}/`);
  assertStringIncludes(await at("gh-pages", "service-worker.js"), "unregister");
  assertStringIncludes(await at("main", "README.md"), "history/shop.yml");
  assertStringIncludes(await at("main", "history/summary.json"), '"uptime"');
  assertEquals(github.violations, []);
});
