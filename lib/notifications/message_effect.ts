import * as v from "valibot";
import type { Effect } from "../outbox/effect.ts";
import type { ListeningChannel } from "./listener.ts";
import { type Message, subjectOf } from "./message.ts";
import { STORED_EVENT } from "./stored_event.ts";

const MESSAGE_EFFECT = v.object({
  channel: v.string(),
  message: v.object({ id: v.string(), events: v.array(STORED_EVENT) }),
});

/** A message that is owed to a channel, given by its key. */
export type MessageEffect = v.InferOutput<typeof MESSAGE_EFFECT>;

/** How long a message that no run can send stays: longer than what fails is tried again, so that this is told. */
const LAPSE = { hours: 48 };

/**
 * A message as an effect: those of one channel go one after another, and one about a site waits for those
 * about that site. Of old news nobody wants to hear when a secret comes at last.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const seen = { code: 0, error: "connection refused", attempts: 3, incident: "2026-11-21-shop" };
 * const event = { id: "a", kind: "down", name: "Shop", slug: "shop", since: "2026-11-21T10:05:03.120Z", ...seen } as const;
 * const message = { id: "1", events: [event] };
 * const now = Temporal.Instant.from("2026-11-21T10:05:03.120Z");
 * const effect = messageEffect({ key: "9f", notification: { type: "email" } }, message, now);
 * assertEquals([effect.what, effect.line], ["tell email about Shop", "message/9f"]);
 * assertEquals(parseMessageEffect(effect.data), { channel: "9f", message });
 * ```
 */
export function messageEffect(
  { key, notification: { type } }: Pick<ListeningChannel, "key" | "notification">,
  { id, events }: Message,
  now: Temporal.Instant,
): Effect {
  return {
    id: `message/${key}/${id}`,
    carrier: "message",
    line: `message/${key}`,
    about: [...new Set(events.map(subjectOf))],
    what: `tell ${type} about ${namesInShort(events.map(({ name }) => name))}`,
    lapses: now.add(LAPSE),
    data: { channel: key, message: { id, events: events.map((event) => ({ ...event })) } },
  };
}

/** Reads what an outbox has kept; `undefined` where another version wrote it. */
export function parseMessageEffect(data: unknown): MessageEffect | undefined {
  const result = v.safeParse(MESSAGE_EFFECT, data);
  return result.success ? result.output : undefined;
}

function namesInShort(names: readonly string[]): string {
  const [first, second, ...others] = new Set(names);
  if (second === undefined) return first ?? "nothing";
  if (others.length === 0) return `${first} and ${second}`;
  return `${first} and ${others.length + 1} others`;
}
