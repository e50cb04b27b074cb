import { assertEquals } from "@std/assert";
import { runTask } from "./program.ts";
import { makeScratch } from "./scratch.ts";
import type { Notification } from "../../lib/config/channels/keys.ts";

/** The configuration, and the arguments of `notify-test`. */
export interface Asked {
  notifications?: readonly unknown[];
  ofSite?: readonly unknown[];
  secrets?: Readonly<Record<string, string>>;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** Runs `notify-test` in a new folder, in which it must leave nothing. */
export async function notifyTest({ notifications, ofSite, secrets = {}, args, env }: Asked) {
  await using scratch = await makeScratch();
  const site = { name: "Shop", url: "https://shop.example", notifications: ofSite };
  await scratch.write(".monitorrc.yml", JSON.stringify({ notifications, sites: [site] }));
  const result = await runTask("notify-test", {
    folder: scratch.path,
    args,
    env: { SECRETS_CONTEXT: JSON.stringify(secrets), ...env },
  });
  const files = await Array.fromAsync(Deno.readDir(scratch.path));
  assertEquals(files.map(({ name }) => name), [".monitorrc.yml"]);
  return { ...result, lines: result.stdout.trimEnd().split("\n") };
}

export const ON = ["down", "up"] as const;

export const SLACK = { type: "slack", "webhook-url": "$SLACK_HOOK", on: ON } as const;

export const TAKEN = { status: 204 };

export function webhookAt(url: string, more: Partial<Notification> = {}): Notification {
  return { type: "webhook", url, on: ["down", "up"], ...more };
}
