import type { Secrets } from "./secrets/secrets.ts";
import { failureAddress } from "./failure_address.ts";

/** Milliseconds that an answer may take. */
const PATIENCE = 10_000;
const ATTEMPTS = 3;

export interface HeartbeatOptions {
  secrets: Secrets;
  userAgent: string;
  /** True if no site had a result: sends a failure, or nothing if the service takes no failures. */
  isFailure: boolean;
}

/**
 * Pings a heartbeat service at the end of a run; its address may contain secrets. Returns why that failed,
 * in words without the address.
 */
export async function sendHeartbeat(
  template: string,
  { secrets, userAgent, isFailure }: HeartbeatOptions,
): Promise<string | undefined> {
  const { text, missing } = secrets.substituteUrl(template.trim());
  if (missing.length > 0) return `$${missing.join(", $")} is not among the secrets`;
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
