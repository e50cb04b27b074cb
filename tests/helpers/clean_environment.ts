import { join } from "node:path";

/** Deno's cache, which has the packages of the program. */
export const CACHE = Deno.env.get("DENO_DIR") ??
  join(Deno.env.get("XDG_CACHE_HOME") ?? join(Deno.env.get("HOME")!, ".cache"), "deno");

/** The environment that a program needs on this machine, without settings that change its behaviour. */
export function cleanEnvironment(): Record<string, string> {
  const names = ["PATH", "HOME", "TMPDIR", "DENO_DIR", "NODE_EXTRA_CA_CERTS", "XDG_CACHE_HOME"];
  // Programs that the tests start have the date with which faketime runs the tests.
  names.push(
    ...Object.keys(Deno.env.toObject()).filter((name) => /^(?:LD_PRELOAD$|FAKETIME)/.test(name)),
  );
  const known = names.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(known),
    MONITOR_COMMAND: "monitor",
    NO_COLOR: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
  };
}

/** Variables with which npm reaches its registry, besides those of {@linkcode cleanEnvironment}. */
export function registryVariables(): Record<string, string> {
  const names =
    /^(?:npm_config_.*|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|(?:https?|no|all)_proxy)$/i;
  const found = Object.entries(Deno.env.toObject()).filter(([name]) => names.test(name));
  return Object.fromEntries(found);
}
