import type { CheckName, CheckSettings, CheckTarget } from "../config/checks/mod.ts";
import { misconfigured, type Observation, type Probe, type ProbeContext } from "./observation.ts";
import { http } from "./http.ts";
import { tcpPing } from "./tcp_ping.ts";

/** Probes by check type; few configurations need those that are loaded on demand. */
export const PROBES: { [Name in CheckName]: Probe<CheckSettings<Name>> } = {
  http,
  "tcp-ping": tcpPing,
  ssl: async (...input) => (await import("./ssl.ts")).ssl(...input),
  dns: async (...input) => (await import("./dns.ts")).dns(...input),
  ws: async (...input) => (await import("./ws.ts")).ws(...input),
  heartbeat: async (...input) => (await import("./heartbeat.ts")).heartbeat(...input),
  ssh: async (...input) => (await import("./ssh.ts")).ssh(...input),
  smtp: async (...input) => (await import("./smtp.ts")).smtp(...input),
  imap: async (...input) => (await import("./imap.ts")).imap(...input),
  grpc: async (...input) => (await import("./grpc.ts")).grpc(...input),
  domain: async (...input) => (await import("./domain.ts")).domain(...input),
  icmp: async (...input) => (await import("./icmp.ts")).icmp(...input),
  monitor: async (...input) => (await import("./monitor.ts")).monitor(...input),
};

/** Probes a site once. A site that can't be probed is an observation too. */
export async function probe(target: CheckTarget, context: ProbeContext): Promise<Observation> {
  if (target.fault !== undefined) return misconfigured(target.fault);
  const { details, ...observation } = await PROBES[target.check](target as never, context);
  return context.detailed ? { ...observation, details } : observation;
}
