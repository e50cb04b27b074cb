/** What a program needs of this machine, and nothing that changes what it does. */
export function cleanEnvironment(): Record<string, string> {
  const names = ["PATH", "HOME", "TMPDIR", "DENO_DIR", "NODE_EXTRA_CA_CERTS", "XDG_CACHE_HOME"];
  const known = names.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(known),
    NO_COLOR: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
  };
}
