import { createHash } from "node:crypto";
import type { Message } from "../../message.ts";

/** How mail programs tell a mail from others, and find what it belongs to. */
export interface Thread {
  messageId: string;
  /** Identifiers of the thread roots, one for each incident of the message; empty for a test. */
  roots: string[];
}

/** What the identifiers of a mail are made of. */
export interface ThreadParts {
  /** Name of the monitor. */
  monitor: string;
  /** To whom the message goes, and from where. */
  destination: string;
  /** The domain of the sender. */
  domain: string;
}

/** Threads that one mail refers to, because servers limit the size of headers. */
const MOST_ROOTS = 200;

/**
 * The identifiers of a mail. They are the same whenever it is sent again, so that a mailbox can drop the
 * second; and all mails about an incident answer one that was never sent, as nobody knows at planning
 * time which of them will be the first to arrive.
 */
export function threadOf(
  { id, events }: Message,
  { monitor, destination, domain }: ThreadParts,
): Thread {
  const messageId = identifier([monitor, "message", id, destination], domain);
  const incidents = new Set(
    events.filter(({ kind }) => kind !== "test").map(({ incident }) => incident),
  );
  const roots = [...incidents].slice(0, MOST_ROOTS)
    .map((incident) => identifier([monitor, "incident", incident], domain));
  return { messageId, roots };
}

function identifier(parts: readonly string[], domain: string): string {
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return `<${hash.slice(0, 40)}@${domain}>`;
}
