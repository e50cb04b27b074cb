import { domainToASCII } from "node:url";
import * as v from "valibot";
import { about, expected, found, text, word } from "../config/keys/values.ts";
import type { Secrets } from "../config/secrets/secrets.ts";
import { defineCheck, misconfigured, missingSecrets, type Observation } from "./check.ts";
import { nameServer, systemNameServers } from "./dns/name_servers.ts";
import { impossible, RECORD_TYPES } from "./dns/records.ts";
import { EXPECT_KEY, expectations } from "./expect_key.ts";
import { hostAndPort, isPort } from "./net/host_and_port.ts";

/** A name that can be asked for; labels that begin with an underscore are names of services. */
const NAME = /^(?=.{1,253}$)[\w-]{1,63}(?:\.[\w-]{1,63})*$/;

const RESOLVER = "a host such as 9.9.9.9 or 127.0.0.1:5353";

/** Asks a name server for records. `url` is the name. */
export const dns = defineCheck({
  keys: {
    record: v.optional(
      about(
        "dns: record type.",
        word(RECORD_TYPES),
      ),
      "A",
    ),
    ...EXPECT_KEY,
    resolver: v.optional(
      about(
        "dns: name server, a host with or without :port. Default: the system's name servers.",
        v.pipe(text(RESOLVER), v.check(isResolver, expected(RESOLVER))),
      ),
    ),
  },
  shared: [],
  problem(site) {
    if (!site.url.includes("$") && !NAME.test(nameOf(site.url))) {
      return { path: ["url"], message: `expected a name, found ${found(site.url)}` };
    }
    for (const text of expectations(site)) {
      const what = text.includes("$") ? undefined : impossible(site.record, text);
      if (what !== undefined) {
        return { path: ["expect"], message: `expected ${what}, found ${found(text)}` };
      }
    }
  },
  prepare: (site) => async (context) => {
    const { secrets } = context;
    const address = secrets.substitute(site.url);
    const resolver = secrets.substitute(site.resolver ?? "");
    const wanted = expectations(site).map((text) => secrets.substitute(text));
    const missing = [address, resolver, ...wanted].flatMap(({ missing }) => missing);
    if (missing.length > 0) return missingSecrets(missing, secrets);
    const name = nameOf(address.text);
    if (!NAME.test(name)) return misconfigured("a dns check needs a name in its url");
    const servers = await serversOf(site.resolver, secrets);
    if (!Array.isArray(servers)) return servers;
    // What reads DNS messages takes some 15 ms to load, and few have such a site.
    const { observeAnswer } = await import("./dns/observe_answer.ts");
    return await observeAnswer({ name, type: site.record }, servers, {
      ...context,
      expected: wanted.map(({ text }, index) => ({ text, shown: expectations(site)[index]! })),
      limit: Math.min(site.connectTimeout, site.requestTimeout),
      shown: address.secret ? undefined : name,
      configured: site.url,
      showsServer: !resolver.secret,
    });
  },
});

function isResolver(text: string): boolean {
  const { host, port } = hostAndPort(text);
  return text.includes("$") ||
    host !== "" && !/\s/.test(host) && (port === undefined || isPort(port));
}

async function serversOf(configured: string | undefined, secrets: Secrets) {
  const servers = configured === undefined ? systemNameServers() : undefined;
  if (servers?.length === 0) {
    return misconfigured("the system knows no name server: add a resolver");
  }
  if (servers !== undefined) return servers;
  const { text, secret } = secrets.substitute(configured!);
  if (!isResolver(text)) return misconfigured("resolver is no host");
  try {
    return [await nameServer(text)];
  } catch {
    const reason = `the name server${secret ? "" : ` ${configured}`} can't be looked up`;
    const unknown: Observation = {
      code: 0,
      responseTime: 0,
      failure: { kind: "network", reason },
    };
    return unknown;
  }
}

/** The name in a url, in ASCII and without a dot at its end. */
function nameOf(url: string): string {
  const { host } = hostAndPort(url);
  // deno-lint-ignore no-control-regex
  const ascii = /^[\x00-\x7f]*$/.test(host) ? host : domainToASCII(host);
  return ascii.replace(/(?<=.)\.$/, "");
}
