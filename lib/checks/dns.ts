import { getServers } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP, isIPv6 } from "node:net";
import { expectations } from "../config/checks/connection_keys.ts";
import { isQueryName, isResolver, queryName, type RecordType } from "../config/checks/dns.ts";
import { hostAndPort } from "../config/checks/hosts.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import type { NameServer, Question, Reply } from "./dns_client.ts";
import { endpoint, networkFailure } from "./network_failure.ts";
import {
  type Failure,
  misconfigured,
  missingSecrets,
  type Observation,
  type Probe,
} from "./observation.ts";
import { withTimeLimit } from "./timing.ts";

const DNS_PORT = 53;

/** Queries a name server for records. `url` is the name. */
export const dns: Probe<CheckSettings<"dns">> = async (site, context) => {
  const { secrets } = context;
  const address = secrets.substitute(site.url);
  const resolver = secrets.substitute(site.resolver ?? "");
  const wanted = expectations(site).map((text) => secrets.substitute(text));
  const missing = [address, resolver, ...wanted].flatMap(({ missing }) => missing);
  if (missing.length > 0) return missingSecrets(missing, secrets);
  const name = queryName(address.text);
  if (!isQueryName(name)) return misconfigured("a dns check needs a name in its url");
  const servers = await findServers(site.resolver, secrets);
  if (!Array.isArray(servers)) return servers;
  return await observeReply({ name, type: site.record }, servers, {
    expected: wanted.map(({ text }, index) => ({ text, shown: expectations(site)[index]! })),
    limit: Math.min(site.connectTimeout, site.requestTimeout),
    signal: context.signal,
    shown: address.secret ? undefined : name,
    configured: site.url,
    showsServer: !resolver.secret,
  });
};

interface Expected {
  /** Records that must all be among the answers; `shown` is the configured text. */
  expected: readonly { text: string; shown: string }[];
  /** Milliseconds until the reply must arrive. */
  limit: number;
  signal: AbortSignal;
  /** The name, if no secret hides it. */
  shown?: string;
  configured: string;
  showsServer: boolean;
}

async function observeReply(
  question: Question,
  servers: readonly NameServer[],
  expected: Expected,
): Promise<Observation> {
  // The client takes 15 ms to load, and few configurations need it.
  const { resolveRecords } = await import("./dns_client.ts");
  const { limit, signal, shown, showsServer } = expected;
  const start = performance.now();
  let reply: Reply | undefined;
  let failure: Failure | undefined;
  try {
    reply = await withTimeLimit(
      limit,
      signal,
      (signal) => resolveRecords(question, servers, signal),
    );
  } catch (error) {
    const shownServers = showsServer ? ` ${servers.map(formatServer).join(", ")}` : "";
    failure = networkFailure(error as Error, {
      stage: `waiting for the name server${shownServers}`,
      host: showsServer ? formatServer(servers[0]!) : undefined,
    });
  }
  const responseTime = performance.now() - start;
  if (reply !== undefined) failure = evaluateReply(reply, question.type, expected);
  return {
    code: failure === undefined ? 200 : 0,
    responseTime,
    ...(reply === undefined
      ? {}
      : { phases: { dns: responseTime, connect: 0, tls: 0, ttfb: 0, download: 0 } }),
    ...(failure === undefined ? {} : { failure }),
    details: {
      hops: [{ method: question.type, url: expected.configured, words: reply?.code }],
      resolver: reply !== undefined && showsServer ? formatServer(reply.server) : undefined,
      answers: shown === undefined ? undefined : reply?.records,
    },
  };
}

function formatServer({ address, port }: NameServer): string {
  return port === DNS_PORT ? address : endpoint(address, port);
}

/** Reason why a reply is not the expected one. */
export function evaluateReply(
  { code, records }: Pick<Reply, "code" | "records">,
  type: RecordType,
  { expected, shown }: Pick<Expected, "expected" | "shown">,
): Failure | undefined {
  const name = shown ?? "the name";
  const answer = (reason: string): Failure => ({ kind: "answer", reason });
  if (code === "NXDOMAIN") return answer(`${name} does not exist (NXDOMAIN)`);
  if (code === "SERVFAIL") {
    const reason = `the name server could not find an answer for ${name} (SERVFAIL)`;
    return { kind: "network", reason };
  }
  if (code === "REFUSED") {
    return answer(`the name server refuses to answer for ${name} (REFUSED)`);
  }
  if (code !== "NOERROR") return answer(`the name server answered ${code}`);
  if (records.length === 0) return answer(`${name} has no ${type} record`);
  const missing = expected.filter(({ text }) => !records.some((one) => matches(type, one, text)));
  if (missing.length === 0) return undefined;
  // Records may reveal the name.
  const found = shown === undefined ? "something else" : records.join(", ");
  return answer(`expected ${missing.map(({ shown }) => shown).join(", ")}, found ${found}`);
}

/** The configured name server or those of the system, or the observation that there is none. */
async function findServers(
  configured: string | undefined,
  secrets: Secrets,
): Promise<NameServer[] | Observation> {
  if (configured === undefined) {
    const servers = [...new Set(getServers())].map((text): NameServer => {
      if (isIP(text) !== 0) return { address: text, port: DNS_PORT };
      const { host, port = DNS_PORT } = hostAndPort(text);
      return { address: host, port: Number(port) };
    });
    return servers.length > 0
      ? servers
      : misconfigured("the system knows no name server: add a resolver");
  }
  const { text, secret } = secrets.substitute(configured);
  if (!isResolver(text)) return misconfigured("resolver is not a host");
  const { host, port = DNS_PORT } = hostAndPort(text);
  try {
    const { address } = await lookup(host);
    return [{ address, port: Number(port) }];
  } catch {
    const reason = `the name server${secret ? "" : ` ${configured}`} can't be looked up`;
    return { code: 0, responseTime: 0, failure: { kind: "network", reason } };
  }
}

/**
 * True if a record is the expected one. Names are compared without case and final dot, an MX by its name if no
 * priority is given, an SOA by the fields that are given, a TXT exactly.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * assert(matches("MX", "10 mail.example.com", "Mail.Example.com."));
 * assert(matches("MX", "10 mail.example.com", "10 mail.example.com"));
 * assert(!matches("MX", "10 mail.example.com", "20 mail.example.com"));
 * assert(matches("AAAA", "2001:db8::1", "2001:0DB8:0:0:0:0:0:1"));
 * assert(matches("SOA", "ns1.example.com admin.example.com 7 1 2 3 4", "ns1.example.com."));
 * assert(!matches("TXT", "v=spf1 -all", "V=SPF1 -all"));
 * ```
 */
export function matches(type: RecordType, record: string, expected: string): boolean {
  if (type === "TXT") return record === expected;
  const [own, wanted] = [record, expected].map((text) => normal(type, text));
  if (type === "MX" && wanted!.length === 1) return own![1] === wanted![0];
  if (type === "SOA") return wanted!.every((word, index) => own![index] === word);
  return own!.join(" ") === wanted!.join(" ");
}

function normal(type: RecordType, text: string): string[] {
  if (type === "AAAA") return [isIPv6(text) ? new URL(`http://[${text}]`).hostname : text];
  return text.trim().toLowerCase().split(/\s+/).map((word) => word.replace(/(?<=.)\.$/, ""));
}
