import { assertEquals, assertStringIncludes } from "@std/assert";
import { jobSummary } from "../../../templates/terminal/update.ts";
import { outcomeOf, resultOf, siteNamed } from "../../helpers/outcomes.ts";

Deno.test("the job summary is a table of every site, with why something is wrong", async () => {
  const outcomes = [
    outcomeOf(resultOf(await siteNamed("Website"), "up"), "up"),
    outcomeOf(resultOf(await siteNamed("Shop"), "down"), "up"),
  ];
  assertEquals(
    jobSummary(outcomes, ["your branch main stays where it is"]),
    `### Checked 2 sites: 1 up, 1 down

| Site | Condition | Code | Response time |
| :--- | :--- | ---: | ---: |
| Website | 🟩 up since 10:05 UTC | 200 | 123 ms |
| Shop | 🟥 down (connection refused, 203.0.113.7:443) since 10:05 UTC | – | – |

- your branch main stays where it is
`,
  );
});

Deno.test("names and errors in the job summary are text and nothing else", async () => {
  const site = await siteNamed("a|b <script> `x` [l](https://x) @jo #1 $y$ \\");
  const summary = jobSummary([outcomeOf(resultOf(site, "down", { error: "<b> | `" }), "up")], []);
  assertStringIncludes(
    summary,
    "| a\\|b \\<script\\> \\`x\\` \\[l\\](https\\://x) @jo \\#1 \\$y\\$ \\\\ |",
  );
  assertStringIncludes(summary, "| 🟥 down (\\<b\\> \\| \\`) since 10:05 UTC |");
});
