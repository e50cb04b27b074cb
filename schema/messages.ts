import { CHANNEL_TYPES } from "../lib/config/channels/keys.ts";
import { Secrets } from "../lib/io/secrets/secrets.ts";
import { loadSender } from "../lib/notifications/channels/mod.ts";
import type { Sending } from "../lib/notifications/channels/channel.ts";
import { sampleMessages } from "../lib/notifications/sample_messages.ts";
import { toSampleNotification } from "../lib/setup/first_channel.ts";

const WIDTH = 98;

/** The message of each channel with a form of its own about a site that is down, as Markdown. */
export async function messageReference(): Promise<string> {
  const now = Temporal.Instant.from("2026-11-21T10:10:00Z");
  const sending: Sending = {
    secrets: new Secrets({}),
    clock: { now: () => now, elapsed: () => 0, wait: () => Promise.resolve() },
    random: () => 0,
    userAgent: "",
    places: { home: "https://github.com/acme/status", page: "https://status.acme.example" },
    monitor: "acme/status",
    title: "Acme status",
  };
  const { down } = sampleMessages(now);
  const types = CHANNEL_TYPES.filter((type) => type !== "webhook");
  const sections = types.map(async (type) => {
    const { preview } = await loadSender(type);
    const payload = preview(toSampleNotification(type)!, down!, sending);
    const [request] = [payload].flat() as Record<string, unknown>[];
    const { body, form, text } = request!;
    const content = body ?? form;
    const shown = content === undefined ? String(text).trim() : wrapJson(content);
    return `## ${type}\n\n\`\`\`text\n${shown}\n\`\`\`\n`;
  });
  return (await Promise.all(sections)).join("\n");
}

/** JSON in lines that break between values, so that a message takes few of them. */
function wrapJson(value: unknown): string {
  const lines: string[] = [];
  for (const part of JSON.stringify(value).split(/(?<=,)(?=["{[])/)) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + part.length > WIDTH) lines.push(part);
    else lines[lines.length - 1] = `${line} ${part}`;
  }
  return lines.join("\n  ");
}
