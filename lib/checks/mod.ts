import type { Check } from "./check.ts";
import { dns } from "./dns.ts";
import { http } from "./http.ts";
import { ssl } from "./ssl.ts";
import { tcpPing } from "./tcp_ping.ts";
import { ws } from "./ws.ts";

/** Every way of checking a site, under the name that `check:` gives it. */
export const CHECKS: Readonly<Record<string, Check>> = {
  http,
  "tcp-ping": tcpPing,
  ssl,
  dns,
  ws,
};
