import * as v from "valibot";
import { duration } from "../config/keys/duration.ts";
import { about, found } from "../config/keys/values.ts";
import { defineCheck, misconfigured, missingSecrets } from "./check.ts";
import { FAMILY_KEYS, familyOf, familyProblem } from "./net/family_keys.ts";
import { hostAndPort, isPort } from "./net/host_and_port.ts";
import { PORT_KEY } from "./net/port_key.ts";
import { endpoint } from "./network_failure.ts";
import { observeChain } from "./ssl/observe_chain.ts";
import { TLS_KEYS, tlsProblem } from "./tls/keys.ts";
import { credentialsOf, readTlsOptions } from "./tls/tls_options.ts";

const DAY = 86_400_000;
const HTTPS = "443";

/** Negotiates TLS and looks at the certificates. `url` is a host, with or without `:port`. */
export const ssl = defineCheck({
  keys: {
    ...PORT_KEY,
    expiresWithin: v.optional(
      about(
        "ssl: days; a site is degraded if a certificate of its chain expires sooner.",
        duration("d", { max: 3650 * DAY }),
      ),
      14,
    ),
    ...TLS_KEYS,
    ...FAMILY_KEYS,
  },
  shared: ["expiresWithin"],
  problem(site) {
    if (site.url.includes("$")) return tlsProblem(site);
    const { host, port } = hostAndPort(site.url);
    if (host === "" || /\s/.test(host)) {
      return { path: ["url"], message: `expected a host, found ${found(site.url)}` };
    }
    if (site.port === undefined && port !== undefined && !isPort(port)) {
      return { path: ["url"], message: `expected a port from 1 to 65535, found ${port}` };
    }
    return tlsProblem(site) ?? familyProblem(host, site);
  },
  prepare: (site) => async (context) => {
    const { secrets, signal, attempt } = context;
    const address = secrets.substitute(site.url);
    const given = secrets.substitute(site.port ?? "");
    const credentials = credentialsOf(site, secrets);
    const missing = [address, given, credentials].flatMap(({ missing }) => missing);
    if (missing.length > 0) return missingSecrets(missing, secrets);
    const { host, port: inUrl = HTTPS } = hostAndPort(address.text);
    if (host === "") return misconfigured("an ssl check needs a host");
    const port = site.port === undefined ? inUrl : given.text.trim();
    if (!isPort(port)) return misconfigured("an ssl check needs a port from 1 to 65535");
    const tls = await readTlsOptions(credentials, site, context.root);
    if (!("rejectUnauthorized" in tls)) return tls;

    const { connectTimeout } = site;
    const target = { host, port: Number(port), family: familyOf(site), attempt, tls };
    const configured = hostAndPort(site.url);
    return await observeChain({ ...target, connectTimeout, signal }, context, {
      expiresWithin: site.expiresWithin,
      showsHost: !address.secret && !given.secret,
      shown: endpoint(configured.host, site.port ?? configured.port ?? HTTPS),
    });
  },
});
