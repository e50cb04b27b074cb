import type { Secrets } from "../config/secrets/secrets.ts";

/** Milliseconds that an answer may take. */
const PATIENCE = 10_000;
const ATTEMPTS = 3;

/**
 * Tells a dead man's switch that a run came to its end; secrets may stand in its address. Returns why it
 * could not be told, in words that do not hold the address.
 */
export async function sendHeartbeat(
  template: string,
  { secrets, userAgent }: { secrets: Secrets; userAgent: string },
): Promise<string | undefined> {
  const { text: address, missing } = secrets.substituteUrl(template.trim());
  if (missing.length > 0) return `$${missing.join(", $")} is not among the secrets`;
  if (!URL.canParse(address)) return "its address is not valid";
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
