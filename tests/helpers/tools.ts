/** Programs that some tests need besides Node and git, with their Debian packages. */
const TOOLS = {
  browser: { package: "chromium", paths: ["/usr/bin/chromium", "/usr/bin/google-chrome"] },
  exim: { package: "exim4-daemon-light", paths: ["/usr/sbin/exim4"] },
  jing: { package: "jing", paths: ["/usr/bin/jing"] },
  script: { package: "bsdutils", paths: ["/usr/bin/script"] },
  curl: { package: "curl", paths: ["/usr/bin/curl"] },
  jq: { package: "jq", paths: ["/usr/bin/jq"] },
  openssl: { package: "openssl", paths: ["/usr/bin/openssl"] },
  systemd: { package: "systemd", paths: ["/usr/bin/systemd-analyze"] },
};

export type Tool = keyof typeof TOOLS;

/** Tools of GitHub's runners besides bash, for the scripts of workflows. */
export const RUNNER_TOOLS: readonly Tool[] = ["curl", "jq", "openssl"];

/** The path of a tool. */
export function findTool(tool: Tool): string | undefined {
  return TOOLS[tool].paths.find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

/** Names of the packages to install, so that the tests that need these tools run. */
export function missingPackages(tools = Object.keys(TOOLS) as readonly Tool[]): string[] {
  return tools.filter((tool) => findTool(tool) === undefined).map((tool) => TOOLS[tool].package);
}

/** A test that needs tools. If one is missing, the test is ignored and its name says so. */
export function testWith(tools: readonly Tool[], test: Deno.TestDefinition): void {
  const missing = missingPackages(tools);
  const note = missing.length === 0 ? "" : `NOT RUN, install ${missing.join(" and ")}: `;
  Deno.test({ ...test, name: note + test.name, ignore: test.ignore || missing.length > 0 });
}
