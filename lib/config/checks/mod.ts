import type { Settings } from "./check_kind.ts";
import { dns } from "./dns.ts";
import { domain } from "./domain.ts";
import { grpc } from "./grpc.ts";
import { heartbeat } from "./heartbeat.ts";
import { icmp, imap, smtp, ssh, ssl, tcpPing } from "./host_checks.ts";
import { http, monitor } from "./http.ts";
import { ws } from "./ws.ts";

export const CHECK_KINDS = {
  http,
  "tcp-ping": tcpPing,
  ssl,
  dns,
  ws,
  ssh,
  smtp,
  imap,
  grpc,
  domain,
  icmp,
  heartbeat,
  monitor,
};

export type CheckName = keyof typeof CHECK_KINDS;

export const CHECK_NAMES = Object.keys(CHECK_KINDS) as CheckName[];

/** Those whose state is kept between runs: a result depends on it, and may need no network. */
export const STATEFUL_CHECKS: ReadonlySet<CheckName> = new Set(["heartbeat", "domain"]);

/** Those that only the deciding run checks, whatever the locations and shards of a site. */
export const CHECKED_ONCE: ReadonlySet<CheckName> = new Set([...STATEFUL_CHECKS, "monitor"]);

/** Those that only connect, within `connectTimeout` instead of `requestTimeout`. */
export const CONNECTING_CHECKS: ReadonlySet<CheckName> = new Set(["tcp-ping", "ssl", "icmp"]);

/** Those that use TLS, whatever the address. */
export const SECURE_CHECKS: ReadonlySet<CheckName> = new Set(["ssl", "smtp", "imap", "grpc"]);

export type CheckSettings<Name extends CheckName> = Settings<(typeof CHECK_KINDS)[Name]["keys"]>;

export type CheckTarget = NonNullable<
  ReturnType<(typeof CHECK_KINDS)[CheckName]["read"]>["target"]
>;
