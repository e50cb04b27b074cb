import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { chooseFamily } from "../config/checks/connection_keys.ts";
import { hostAndPort } from "../config/checks/hosts.ts";
import { isPingableHost } from "../config/checks/host_checks.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import { turn } from "./connection.ts";
import { networkFailure, type Stage } from "./network_failure.ts";
import { type Failure, misconfigured, missingSecrets, type Probe } from "./observation.ts";
import { unlessAborted, withTimeLimit } from "./timing.ts";

/** Deno has no sockets for ICMP, so the program of the system is run. */
const PROGRAM = "ping";

interface Printed {
  code: number;
  stdout: string;
  stderr: string;
}

/** Sends an ICMP echo request by the system's `ping`. `url` is a host. */
export const icmp: Probe<CheckSettings<"icmp">> = async (site, context) => {
  const { secrets, signal, attempt = 1 } = context;
  const given = secrets.substitute(site.url);
  if (given.missing.length > 0) return missingSecrets(given.missing, secrets);
  const { host } = hostAndPort(given.text);
  if (!isPingableHost(host)) return misconfigured("a check of type icmp needs a host");
  const { state } = await Deno.permissions.query({ name: "run", command: PROGRAM });
  if (state !== "granted") {
    return misconfigured(
      "an icmp check needs the program ping and the permission to run it: start update-with-ping, watch-with-ping or check-with-ping",
    );
  }
  const isMac = Deno.build.os === "darwin";
  const family = chooseFamily(site) ?? (isMac ? 4 : 0);
  if (isMac && (family === 6 || isIP(host) === 6)) {
    return misconfigured("the ping of macOS is for IPv4 alone: set ipv4: true");
  }
  const start = performance.now();
  let stage: Stage = isIP(host) === 0 ? "looking up the name" : "waiting for the answer";
  let dns = 0;
  let time: number | undefined;
  let failure: Failure | undefined;
  let address: string | undefined;
  try {
    await withTimeLimit(site.connectTimeout, signal, async (signal) => {
      const all = await unlessAborted<{ address: string; family: number }[]>(
        signal,
        (resolve, reject) => void lookup(host, { all: true, family }).then(resolve, reject),
      );
      const [target] = turn(all, attempt - 1);
      address = target!.address;
      dns = isIP(host) === 0 ? performance.now() - start : 0;
      stage = "waiting for the answer";
      const printed = await runPing(address, signal);
      time = findTime(printed);
      if (time === undefined) failure = explainOutput(printed, given.secret ? undefined : host);
    });
  } catch (error) {
    failure = error instanceof Deno.errors.NotFound
      ? { kind: "configuration", reason: "the program ping is not on the PATH" }
      : networkFailure(error as Error, { stage, host: given.secret ? undefined : host });
  }
  return {
    code: failure === undefined ? 200 : 0,
    responseTime: time ?? performance.now() - start,
    ...(failure === undefined
      ? { phases: { dns, connect: time!, tls: 0, ttfb: 0, download: 0 } }
      : { failure }),
    details: {
      ...(given.secret ? {} : { address }),
      hops: [{
        method: "PING",
        url: hostAndPort(site.url).host,
        ...(failure === undefined ? { words: "answered" } : {}),
      }],
    },
  };
};

/** Runs the program without the environment of this one, which contains secrets. */
async function runPing(address: string, signal: AbortSignal): Promise<Printed> {
  // An address is no option and needs no look-up. The time limit is ours: that of ping has other units on each system.
  const args = [Deno.build.os === "windows" ? "-n" : "-c", "1", address];
  const ended = new AbortController();
  const env = {
    LC_ALL: "C",
    ...(Deno.build.os === "windows" ? { SystemRoot: "C:\\Windows" } : {}),
  };
  const command = new Deno.Command(PROGRAM, {
    ...{ args, clearEnv: true, env, signal: ended.signal },
    ...{ stdin: "null", stdout: "piped", stderr: "piped" },
  });
  try {
    const output = await unlessAborted<Deno.CommandOutput>(
      signal,
      (resolve, reject) => void command.output().then(resolve, reject),
    );
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    const { code, stdout, stderr } = output;
    return { code, stdout: decode(stdout), stderr: decode(stderr) };
  } finally {
    ended.abort();
  }
}

/**
 * Milliseconds of the answer, as iputils, BusyBox, macOS and Windows print it; `undefined` if none came. Windows ends
 * with 0 also if a router answers that the host is unreachable, but then prints no time.
 */
export function findTime({ code, stdout }: Printed): number | undefined {
  const time = /[=<]\s*(\d+(?:[.,]\d+)?)\s*ms\b/.exec(stdout)?.[1];
  return code === 0 && time !== undefined ? Number(time.replace(",", ".")) : undefined;
}

/** Messages of a `ping` that may not send or is not known, in the language that LC_ALL chooses. */
const NOT_ALLOWED = /not permitted|permission denied|are you root|lacking privilege/i;
const WRONG_USE = /usage:|(?:invalid|unrecognized|illegal) option|not supported/i;

export function explainOutput(
  { code, stdout, stderr }: Printed,
  host: string | undefined,
): Failure {
  const said = stderr.trim().split("\n")[0]!.trim().replace(/^ping6?: /, "");
  if (NOT_ALLOWED.test(stderr)) {
    const reason = `ping may not send requests on this machine: ${said}`;
    return { kind: "configuration", reason };
  }
  if (WRONG_USE.test(stderr)) {
    return { kind: "configuration", reason: `ping can't be used on this machine: ${said}` };
  }
  const place = host === undefined ? "" : ` (${host})`;
  const how = /unreachable/i.test(stdout + stderr)
    ? "host unreachable"
    : code <= 1 || host === undefined || said === ""
    ? "no answer to the ping"
    : `no answer to the ping: ${said}`;
  return { kind: "network", reason: `${how}${place}` };
}
