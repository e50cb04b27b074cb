import { describeMissing } from "./secrets/missing.ts";
import type { Secrets } from "./secrets/secrets.ts";

const PATIENCE = 10_000;
const ATTEMPTS = 3;

/**
 * Pings a heartbeat service at the end of a run; its address may contain secrets. If no site had a result, a
 * failure is sent, or nothing if the service takes no failures. Returns why that failed, in words without the
 * address.
 */
export async function sendHeartbeat(
  template: string,
  { secrets, userAgent, isFailure }: { secrets: Secrets; userAgent: string; isFailure: boolean },
): Promise<string | undefined> {
  const { text, missing } = secrets.substituteUrl(template.trim());
  if (missing.length > 0) return describeMissing(missing);
  if (!URL.canParse(text)) return "its address is not valid";
  const address = isFailure ? failureAddress(text) : text;
  if (address === undefined) return undefined;
  let reason: string | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      const answer = await fetch(address, {
        headers: { "User-Agent": userAgent },
        signal: AbortSignal.timeout(PATIENCE),
      });
      await answer.body?.cancel();
      if (answer.ok) return undefined;
      reason = `it answered ${answer.status}`;
      if (answer.status < 500) return reason;
    } catch (error) {
      reason = error instanceof DOMException
        ? `no answer within ${PATIENCE / 1000} s`
        : "it can't be reached";
    }
  }
  return reason;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Heartbeat services that accept failures: recognizes an address, and changes it into that of a failure. */
const SERVICES: readonly [isOwn: (address: URL) => boolean, fail: (address: URL) => void][] = [
  // Healthchecks, hosted (hc-ping.com/UUID, hc-ping.com/KEY/SLUG) or one's own (/ping/…), and Better Stack.
  [
    ({ hostname, pathname }) =>
      hostname === "hc-ping.com" || pathname.split("/").some((part) => UUID.test(part)) ||
      /\/ping\/[^/]+/.test(pathname) || /\/api\/v\d+\/heartbeat\/[^/]+/.test(pathname),
    (address) => {
      address.pathname = `${
        address.pathname.replace(/\/(?:start|fail|log|\d{1,3})?\/*$/, "")
      }/fail`;
    },
  ],
  // Uptime Kuma.
  [
    ({ pathname }) => /\/api\/push\/[^/]+/.test(pathname),
    ({ searchParams }) => {
      searchParams.set("status", "down");
      searchParams.set("msg", "no site could be checked");
    },
  ],
  [
    ({ hostname }) => /^cronitor\.(?:link|io)$/.test(hostname),
    ({ searchParams }) => searchParams.set("state", "fail"),
  ],
];

/**
 * Returns the address that reports a failure to a heartbeat service, given that of its usual ping; `undefined`
 * for unknown services, which notice that pings stop.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const id = "5f3e2c1a-0b9d-4c8e-8f7a-6b5c4d3e2f1a";
 * assertEquals(failureAddress(`https://hc-ping.com/${id}`), `https://hc-ping.com/${id}/fail`);
 * assertEquals(failureAddress("https://hc.example.com/ping/key/shop?create=1"), "https://hc.example.com/ping/key/shop/fail?create=1");
 * assertEquals(failureAddress("https://kuma.example.com/api/push/abc?status=up&msg=OK"), "https://kuma.example.com/api/push/abc?status=down&msg=no+site+could+be+checked");
 * assertEquals(failureAddress("https://cronitor.link/p/abc/shop?state=complete"), "https://cronitor.link/p/abc/shop?state=fail");
 * assertEquals(failureAddress("https://example.com/beat"), undefined);
 * ```
 */
export function failureAddress(address: string): string | undefined {
  const url = new URL(address);
  const service = SERVICES.find(([isOwn]) => isOwn(url));
  service?.[1](url);
  return service && url.href;
}
