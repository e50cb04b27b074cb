import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { ANNOUNCE, workflowPath } from "../../lib/config/workflows.ts";
import { githubServer } from "../helpers/github_server.ts";
import { elementsOf, wordsOf } from "../helpers/html.ts";
import { runTask } from "../helpers/program.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { runWorkflow, type WorkflowEvent } from "../helpers/runner/workflow.ts";
import { withTools } from "../helpers/runner/with_tools.ts";
import { httpServer } from "../helpers/servers.ts";
import { complaintsAbout } from "../helpers/workflow_checks.ts";

/** The form of the workflow with the values that GitHub fills in. */
const FORM = {
  ...{ title: "", text: "", impact: "degraded", sites: "" },
  ...{ update: "", phase: "none", resolve: "" },
};

/** Texts that a shell, GitHub's log or GitHub's pages would take for something else. */
const HOSTILE = '"; touch pwned; $(touch pwned) `touch pwned` ${{ secrets.HOST_PAT }}\n' +
  "::error::forged\n##[error]forged\n@ann <script>alert(1)</script> <!-- monitor-comment: x -->\n";

withTools(
  "the generated workflow announces by its form and its event, and the page shows it",
  async () => {
    await using scratch = await makeScratch();
    await using github = await githubServer();
    await using site = httpServer(() => new Response("ok"));
    github.account("github-actions[bot]").token = "ghs_TokenOfTheJob";
    const config = "announce: true\ncanaries: []\n" +
      `sites: [{ name: Cards, url: "${site.url}" }, { name: Checkout, url: "${site.url}" }]\n`;
    const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config });
    const folder = join(scratch.path, "status");
    await git(scratch.path, "clone", "--quiet", remote, folder);
    for (const task of ["update-template", "update"]) {
      assertEquals((await runTask(task, { folder })).code, 0);
    }
    const tools = join(scratch.path, "tools");
    await Deno.mkdir(tools);
    await Deno.symlink(Deno.execPath(), join(tools, "deno"));
    const env = { PATH: `${tools}:/usr/local/bin:/usr/bin:/bin`, GITHUB_ACTIONS: "true" };
    const run = async (
      path: string,
      event: WorkflowEvent,
      secrets: Readonly<Record<string, string>> = {},
    ) => {
      const text = await git(remote, "show", `main:${path}`);
      const ran = await runWorkflow({ text, event, remote, github, env, secrets });
      const [summary, stdout] = [
        ran.steps.map(({ summary }) => summary).join(""),
        ran.steps.map(({ stdout }) => stdout).join("\n"),
      ];
      return { status: ran.status, summary, stdout };
    };
    const fill = (inputs: Readonly<Partial<typeof FORM>>, secrets = {}) =>
      run(ANNOUNCE.path, {
        name: "workflow_dispatch",
        payload: { inputs: { ...FORM, ...inputs } },
      }, secrets);
    const page = async () => {
      const shown = await run(workflowPath("site"), {
        name: "repository_dispatch",
        payload: { action: "static_site" },
      });
      assertEquals(shown.status, "success", shown.stdout);
      const html = await git(remote, "show", "gh-pages:index.html");
      return { html, words: wordsOf(elementsOf(html, "main")[0]!) };
    };

    const text = await git(remote, "show", `main:${ANNOUNCE.path}`);
    assertEquals(await complaintsAbout(text, ANNOUNCE.path), []);

    const opened = await fill({
      ...{ title: `Payments ${HOSTILE}`, text: HOSTILE, impact: "major", sites: "cards, Checkout" },
    });
    assertEquals(opened.status, "success", opened.stdout);
    assertStringIncludes(
      opened.summary,
      "### Opened incident [\\#\u200b1](https://github.com/acme/status/issues/1)",
    );
    assert(!/^\s*::error|##\[error/m.test(opened.stdout), opened.stdout);
    const [issue] = await github.issues();
    assertEquals(issue!.labels, ["incident", "impact: major", "cards", "checkout"]);
    assert(issue!.title.startsWith('Payments "; touch pwned; $(touch pwned)'));
    assert(!issue!.title.includes("\n"));
    assertMatch(issue!.body, /@\u200bann <script>.*\n\n<!-- monitor-announcement: \w+ -->$/s);
    assert(!issue!.body.includes("monitor-comment"));
    assertEquals(github.dispatched, ["static_site", "summary"]);

    const updated = await fill({ update: "1", phase: "identified", text: "A cable is cut." });
    assertEquals(updated.status, "success", updated.stdout);
    const during = await page();
    assertMatch(during.words, /^Major outage/);
    for (const words of ["Identified", "A cable is cut.", "<script>alert(1)</script>"]) {
      assertStringIncludes(during.words, words);
    }
    assert(!during.html.includes("<script>alert"));
    const wrong = await fill({ update: "2", text: "A cable is cut." });
    assertEquals(wrong.status, "failure");
    assertStringIncludes(
      wrong.stdout,
      "::error::Cannot update issue #2: it does not exist in acme/status",
    );
    assertEquals((await fill({ resolve: "1", text: "Repaired." })).status, "success");
    assertMatch((await page()).words, /^All systems operational/);
    assertEquals((await github.issue(1)).state, "closed");

    const payload = { action: "announce", client_payload: { title: "Slow again", sites: "Cards" } };
    const event = { name: "repository_dispatch", payload };
    const secrets = { HOST_PAT: github.token };
    assertEquals((await run(ANNOUNCE.path, event, secrets)).status, "success");
    const second = await github.issue(2);
    assertEquals([second.author, second.labels], ["monitor-bot", [
      ...["incident", "impact: degraded", "cards"],
    ]]);
    const unknown = { ...payload, client_payload: { title: "Slow", site: "Cards" } };
    const refused = await run(ANNOUNCE.path, { ...event, payload: unknown }, secrets);
    assertStringIncludes(refused.stdout, '"site" is no input, did you mean "sites"?');
    assertEquals((await github.issues()).length, 2);
    assertEquals(github.violations, []);
  },
);
