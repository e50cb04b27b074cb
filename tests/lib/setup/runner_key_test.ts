import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import { type RunnerLabels, runnerLine, setRunners } from "../../../lib/setup/runner_key.ts";

const SITES = "sites:\n  - name: A # first\n    url: https://a.example\n";
const HOSTED: RunnerLabels = new Map([["uptime", ["self-hosted"]]]);
const LABELED: RunnerLabels = new Map([
  ["graphs", ["self-hosted", "x64 big"]],
  ["setup", ["on"]],
]);

/** Configurations, each with the text for {@linkcode HOSTED}; `undefined` if it can't be extended. */
const EXTENDED: Readonly<Record<string, [before: string, after: string | undefined]>> = {
  "none": [SITES, `${SITES}runner: { uptime: self-hosted }\n`],
  "none, without a last line end": [
    SITES.trimEnd(),
    `${SITES}runner: { uptime: self-hosted }\n`,
  ],
  "none but a comment": [
    `${SITES}# runner: ubuntu-22.04\n`,
    `${SITES}# runner: ubuntu-22.04\nrunner: { uptime: self-hosted }\n`,
  ],
  "nothing": [`runner: # later\n${SITES}`, `runner: { uptime: self-hosted } # later\n${SITES}`],
  "a text": [
    `# Machines\nrunner: "ubuntu-22.04" # old\n${SITES}`,
    `# Machines\nrunner: { default: "ubuntu-22.04", uptime: self-hosted } # old\n${SITES}`,
  ],
  "a text that brackets would split": [
    `runner: big, fast\n${SITES}`,
    `runner: { default: "big, fast", uptime: self-hosted }\n${SITES}`,
  ],
  "a secret": [
    `runner: $RUNNER\n${SITES}`,
    `runner: { default: $RUNNER, uptime: self-hosted }\n${SITES}`,
  ],
  "a list": [
    `runner: [self-hosted, x64] # ours\n${SITES}`,
    `runner: { default: [self-hosted, x64], uptime: self-hosted } # ours\n${SITES}`,
  ],
  "a list with an item in each line": [
    `runner:\n  - self-hosted # ours\n  # of 2024\n  - x64\n${SITES}`,
    `runner:\n  default:\n      - self-hosted # ours\n      # of 2024\n      - x64\n  uptime: self-hosted\n${SITES}`,
  ],
  "a list between brackets, in several lines": [
    `runner: [\n    self-hosted, # ours\n    x64 ]\n${SITES}`,
    `runner: { default: [\n    self-hosted, # ours\n    x64 ], uptime: self-hosted }\n${SITES}`,
  ],
  "one without indentation, for Windows": [
    `runner:\n- self-hosted\n- x64\n${SITES}`.replaceAll("\n", "\r\n"),
    `runner:\n  default:\n    - self-hosted\n    - x64\n  uptime: self-hosted\n${SITES}`
      .replaceAll("\n", "\r\n"),
  ],
  "a map": [
    `runner:\n    default: ubuntu-22.04 # old\n\n${SITES}`,
    `runner:\n    default: ubuntu-22.04 # old\n    uptime: self-hosted\n\n${SITES}`,
  ],
  "a map with the key": [
    `runner:\n  uptime: [macos-15]  # Mac\n  graphs: ubuntu-22.04\n${SITES}`,
    `runner:\n  uptime: self-hosted  # Mac\n  graphs: ubuntu-22.04\n${SITES}`,
  ],
  "a map between brackets": [
    `runner: { graphs: [a, b], } # c\n${SITES}`,
    `runner: { graphs: [a, b], uptime: self-hosted, } # c\n${SITES}`,
  ],
  "an empty map": [`runner: {}\n${SITES}`, `runner: { uptime: self-hosted }\n${SITES}`],
  "an anchor": [
    `x-machine: &machine ubuntu-22.04\nrunner: *machine\n${SITES}`,
    `x-machine: &machine ubuntu-22.04\nrunner: { default: *machine, uptime: self-hosted }\n${SITES}`,
  ],
  "a configuration between brackets": [
    '{ "sites": [{ "name": "A", "url": "https://a.example" }] }\n',
    '{ "sites": [{ "name": "A", "url": "https://a.example" }], runner: { uptime: self-hosted } }\n',
  ],
  "a configuration with an end": [
    `---\n${SITES}...\n`,
    `---\n${SITES}runner: { uptime: self-hosted }\n...\n`,
  ],
  "a text at the end": [
    `${SITES}status-website:\n  css: |\n    a { b: c }\n`,
    `${SITES}status-website:\n  css: |\n    a { b: c }\nrunner: { uptime: self-hosted }\n`,
  ],
  "a map that others share": [
    `runner: &r { default: a }\nx-other: *r\n${SITES}`,
    undefined,
  ],
  "a text in several lines": [
    `runner: >-\n  ubuntu\n  big\n${SITES}`,
    `runner: { default: "ubuntu big", uptime: self-hosted }\n${SITES}`,
  ],
  "no YAML": ["runner: [\n", undefined],
};

for (const [name, [before, after]] of Object.entries(EXTENDED)) {
  Deno.test(`a runner is added to a configuration with: ${name}`, async () => {
    const text = await setRunners(before, HOSTED);
    assertEquals(text, after);
    if (text === undefined) return;
    assertEquals(await setRunners(text, HOSTED), text);
    const [old, changed] = await Promise.all([before, text].map((one) => parseConfig(one)));
    const { runner, ...others } = changed!.config!;
    assertEquals(runner, { ...old!.config!.runner, uptime: ["self-hosted"] });
    assertEquals({ ...others, runner: old!.config!.runner }, old!.config);
  });
}

Deno.test("runners are added beside a text that not every parser reads", async () => {
  const text = `status-website:\n    css: "\n.a { top }\n  "\n${SITES}`;
  assertEquals(
    await setRunners(text, new Map([...HOSTED, ...LABELED])),
    `${text}runner: { uptime: self-hosted, graphs: [self-hosted, "x64 big"], setup: "on" }\n`,
  );
});

Deno.test("several runners are added at once, with labels in any characters", async () => {
  assertEquals(
    await setRunners(`runner: a\n${SITES}`, LABELED),
    `runner: { default: a, graphs: [self-hosted, "x64 big"], setup: "on" }\n${SITES}`,
  );
  assertEquals(
    await runnerLine(`runner: a b\n${SITES}`, HOSTED),
    'runner: { default: "a b", uptime: self-hosted }',
  );
});
