import { assertEquals } from "@std/assert";
import { formatPath } from "../../../lib/io/problem.ts";
import { parseConfig } from "../../../lib/config/parse.ts";

const NOTICE =
  "hides a site from everything published, but in a public repository anyone can read its incidents, issues and commits, and its record such as history/";

Deno.test("what anyone can read of hidden sites is said once, and a wrong value hides a site too", async () => {
  const site = (name: string, keys = "") =>
    `  - { name: ${name}, url: "https://x.example"${keys} }\n`;
  const cases: [text: string, shown: boolean[], problems: string[]][] = [
    [`sites:\n${site("A")}${site("B", ", public: true")}`, [true, true], []],
    [
      `sites:\n${site("A")}${site("B", ", public: false")}${site("C", ", public: no")}`,
      [true, false, false],
      [`notice sites[1].public: ${NOTICE}b.yml`],
    ],
    [
      `defaults: { public: false }\nsites:\n${site("A")}${site("B", ", public: true")}`,
      [false, true],
      [`notice defaults.public: ${NOTICE}a.yml`],
    ],
    [
      `sites:\n${site("A", ", public: flase")}`,
      [false],
      [
        'error sites[0].public: expected true or false, found "flase"',
        `notice sites[0].public: ${NOTICE}a.yml`,
      ],
    ],
    [
      `defaults: { public: hidden }\nsites:\n${site("A")}`,
      [false],
      [
        'error defaults.public: expected true or false, found "hidden"',
        `notice defaults.public: ${NOTICE}a.yml`,
      ],
    ],
  ];
  for (const [text, shown, expected] of cases) {
    const { config, problems } = await parseConfig(text);
    const found = problems.map((one) => `${one.severity} ${formatPath(one.path)}: ${one.message}`);
    assertEquals(found, expected, text);
    assertEquals(config!.sites.map((one) => one.public), shown, text);
  }
});
