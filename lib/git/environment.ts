import { variables } from "../io/environment.ts";

/** Variables that git needs to find its files, its keys and the network; secrets are not among them. */
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

/** Switches off hooks, file monitors and long waits for locks, whatever the user has configured. */
export const SETTINGS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.quotePath=false",
  "index.sparse=false",
  "core.packedRefsTimeout=100",
].flatMap((setting) => ["-c", setting]);

/** The environment in which git runs: without variables that change its behaviour or its messages. */
export function gitEnvironment(): Record<string, string> {
  const env = variables();
  const passed = PASSED.flatMap((name) => {
    const value = env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(passed), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0" };
}
