import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { WRONG } from "./wrong_configurations.ts";
import { parseConfig } from "../../../lib/config/parse.ts";
import { ownRepository } from "../../../lib/config/repository.ts";
import { formatProblem } from "../../../lib/io/problem.ts";
import { namesIn } from "../../helpers/names_in.ts";
import { PROJECT } from "../../helpers/program.ts";

const FOLDER = join(PROJECT, "tests", "testdata", "config");

Deno.test("every mistake in a configuration is reported with its place, and the rest is used", async () => {
  assertEquals(await namesIn(FOLDER), Object.keys(WRONG).sort());
  for (const [file, expected] of Object.entries(WRONG)) {
    const { config, problems } = await parseConfig(await Deno.readTextFile(join(FOLDER, file)));
    const messages = problems.map((problem) =>
      formatProblem(problem, problem.severity).replace(/^(error|warning|notice):/, "$1 ")
    );
    assertEquals([config?.sites.length ?? "nothing", messages], expected, file);
  }
});

Deno.test("the repository is the job's, else the configured one, else that of a remote on GitHub", () => {
  const job = { repository: "acme/status", server: "https://github.com" };
  const { server } = job;
  const ours = { owner: "us", repo: "monitor" };
  const ssh = "git@github.com:acme/clone.git";
  const cases: [Parameters<typeof ownRepository>, string | undefined][] = [
    [[ours, job, ssh], "acme/status"],
    [[ours, { server }, ssh], "us/monitor"],
    [[{ owner: "us" }, { server }, ssh], "acme/clone"],
    [[{}, { server }, "https://me:token@github.com/acme/clone/"], "acme/clone"],
    [[{}, { server }, "ssh://git@github.com:22/acme/clone.git"], "acme/clone"],
    [[{}, { server: "https://git.example.com:8443" }, "git@git.example.com:a/b"], "a/b"],
    [[{}, { server }, "git@gitlab.com:acme/clone.git"], undefined],
    [[{}, { server }, "https://github.com/acme/deep/clone"], undefined],
    [[{}, { server }, "/srv/git/status.git"], undefined],
    [[{}, { server: "no address" }, ssh], undefined],
    [[{}, { server }, undefined], undefined],
  ];
  for (const [given, expected] of cases) assertEquals(ownRepository(...given), expected);
});
