/** What runners of the platform have beside bash, and scripts of workflows use. */
const TOOLS = ["curl", "jq", "openssl"];

const MISSING = TOOLS.filter((tool) => {
  try {
    return !Deno.statSync(`/usr/bin/${tool}`).isFile;
  } catch {
    return true;
  }
});

/** A test of scripts that need the tools of a runner; where one is missing the test says so. */
export function withTools(name: string, test: () => Promise<void>): void {
  const isHere = MISSING.length === 0;
  Deno.test({
    name: isHere ? name : `NOT RUN, install ${MISSING.join(" and ")}: ${name}`,
    ignore: !isHere,
    fn: test,
  });
}
