import { variables } from "../io/environment.ts";

/** What of the environment git needs to find its files, its keys and the network. Secrets are none of it. */
const PASSED = [
  "PATH",
  "HOME",
  "USER",
  "SSH_AUTH_SOCK",
  "SSH_AGENT_PID",
  "GIT_SSH",
  "GIT_SSH_COMMAND",
  "GIT_ASKPASS",
  "SSH_ASKPASS",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_SSL_CAINFO",
  "GIT_SSL_NO_VERIFY",
  "XDG_CONFIG_HOME",
  "XDG_RUNTIME_DIR",
  "TMPDIR",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "all_proxy",
];

/** Keeps hooks and monitors of the user's configuration out of our commands, and waiting to us. */
export const SETTINGS = settings([
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.quotePath=false",
  "index.sparse=false",
  "core.packedRefsTimeout=100",
]);

/** Keeps git from house-keeping in the midst of a run. */
export const NO_UPKEEP = settings(["gc.auto=0", "maintenance.auto=false"]);

function settings(names: readonly string[]): string[] {
  return names.flatMap((setting) => ["-c", setting]);
}

/** The environment in which git runs: without anything that changes what it does or says. */
export function gitEnvironment(): Record<string, string> {
  const env = variables();
  const passed = PASSED.flatMap((name) => {
    const value = env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(passed), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0" };
}
