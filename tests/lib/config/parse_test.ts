import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { parseConfig } from "../../../lib/config/parse.ts";
import { formatProblem } from "../../../lib/io/problem.ts";
import { namesIn } from "../../helpers/names_in.ts";
import { PROJECT } from "../../helpers/program.ts";
import { WRONG } from "./wrong_configurations.ts";

const FOLDER = join(PROJECT, "tests", "testdata", "config");

Deno.test("everything that is wrong with a configuration is told at its place, and the rest is used", async () => {
  assertEquals(await namesIn(FOLDER), Object.keys(WRONG).sort());
  for (const [file, expected] of Object.entries(WRONG)) {
    const { config, problems } = await parseConfig(await Deno.readTextFile(join(FOLDER, file)));
    const told = problems.map((problem) =>
      formatProblem(problem, problem.severity).replace(/^(error|warning|notice):/, "$1 ")
    );
    assertEquals([config?.sites.length ?? "nothing", told], expected, file);
  }
});
