import type { Site } from "../../lib/config/config.ts";
import type { NearMiss } from "../../lib/config/references.ts";

/** Secrets that a hint names. */
const MOST_SECRETS = 3;

/** The facts about a site that hints use. */
type HintedSite = Pick<Site, "secrets" | "nearMisses">;

type Help = string | ((site: HintedSite) => string);

const BY_CODE: readonly [from: number, to: number, help: Help][] = [
  [401, 401, credentials],
  [
    403,
    403,
    "The credentials may lack a scope, or the site lets in only IP addresses it knows, or limits how often it is asked. Those of hosted runners change; a self-hosted runner's can be let in.",
  ],
  [
    404,
    404,
    "If the page has moved, change `url`. Some sites also answer 404 where credentials are missing.",
  ],
  [
    429,
    429,
    "The site limits how often it is asked: ask less often with `workflowSchedule`. 429 counts as up unless `expectedStatusCodes` or an assertion says otherwise.",
  ],
  [502, 502, behindProxy],
  [
    503,
    503,
    "The server is there and turns requests away: it may be overloaded, restarting or under maintenance.",
  ],
  [504, 504, behindProxy],
  [520, 527, behindProxy],
  [500, 599, "The server was reached and failed by itself: its own log of that time says why."],
];

const BY_ERROR: readonly [error: RegExp, help: Help][] = [
  [
    /^certificate is (?:self-signed|signed by an unknown authority)/,
    "Hosted runners know public authorities only, so it may work on your machine. Give the authority's certificate in `ca` (a file, or PEM in a `$SECRET`), or accept any with `insecure: true`.",
  ],
  [
    /^(?:the )?certificate .*\bexpired /,
    "Browsers refuse the site until it is renewed. Where that happens by itself, the renewal failed, or the server has not loaded the new certificate.",
  ],
  [
    /^certificate is for /,
    "The server shows the certificate of other names, often its default one: this name may be missing from its configuration or from the certificate.",
  ],
  [
    /^the server (?:wants a|does not accept the) client certificate/,
    "Give it in `clientCertificate` and `clientKey`: files on a self-hosted runner, or PEM in a `$SECRET`.",
  ],
  [
    /^name not found|\(NXDOMAIN\)$/,
    "The name is not in DNS: look at the domain's registration and records. Names of a private network are known to self-hosted runners only.",
  ],
  [
    /^name look-up failed|\(SERVFAIL\)$/,
    "The domain's name servers gave no answer: they may be down, or the domain may point to wrong ones.",
  ],
  [
    /^(?:network unreachable|no IPv4 address)/,
    "Hosted runners have no IPv6: a site that has no IPv4 address needs a self-hosted runner.",
  ],
  [
    /^connection refused/,
    "The machine answered, but takes no connections on this port. If it does elsewhere, a firewall turns the runner away: hosted runners have changing IP addresses.",
  ],
  [
    /^(?:timed out after .* (?:connecting|negotiating TLS)|host unreachable)/,
    "Nothing came back: the machine may be off or cut off. If it answers elsewhere, a firewall drops what comes from the runner: hosted runners have changing IP addresses.",
  ],
  [
    /^timed out after .* (?:waiting for the (?:first byte|answer|WebSocket handshake)|reading the body)$/,
    "The connection was made, so the network works: the server is slow or stuck.",
  ],
];

/**
 * Finds advice for a failure, as Markdown.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * const hint = hintFor({ code: 0, error: "name not found (shop.example.com)" }, { secrets: [], nearMisses: [] });
 * assertStringIncludes(hint!, "The name is not in DNS");
 * ```
 */
export function hintFor(
  { code, error }: { code: number; error: string },
  site: HintedSite,
): string | undefined {
  // An assertion on something else may fail with any status.
  const isAboutCode = new RegExp(`\\b${code}\\b`).test(error);
  const help = isAboutCode && code > 0
    ? BY_CODE.find(([from, to]) => from <= code && code <= to)?.[2]
    : BY_ERROR.find(([pattern]) => pattern.test(error))?.[1];
  const [near] = site.nearMisses;
  if (near !== undefined && (code > 0 || help === undefined)) return nearMissHint(near);
  return typeof help === "function" ? help(site) : help;
}

function nearMissHint({ written, secret }: NearMiss): string {
  return `No secret is named \`${written}\`, so \`$${written}\` is sent as written. The secret is \`${secret}\`, and names are case-sensitive: write \`$${secret}\`.`;
}

function credentials({ secrets }: Pick<Site, "secrets">): string {
  if (secrets.length === 0) {
    return "The site asks for credentials, and its configuration refers to no secret: give one in a header, such as `Authorization: Bearer $API_TOKEN`. Names are case-sensitive, and the job has to pass `SECRETS_CONTEXT`.";
  }
  const names = secrets.slice(0, MOST_SECRETS).map((name) => `\`$${name}\``).join(", ");
  return `The credentials were not accepted: ${names} may be wrong or expired, or stand in the wrong place. Nobody renews an expired token but you, or a workflow of yours.`;
}

function behindProxy(): string {
  return "A proxy or load balancer answered, and the server behind it did not: look there first.";
}
