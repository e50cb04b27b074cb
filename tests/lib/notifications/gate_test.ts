import { assertEquals } from "@std/assert";
import { gate, type GateFacts, type Passage, RULES } from "../../../lib/notifications/gate.ts";
import { readDoc } from "../../helpers/docs.ts";

const ALWAYS: GateFacts = {
  kind: "outage",
  isRouted: true,
  isAcknowledged: false,
  isQuiet: false,
  isMuted: false,
  isWaiting: false,
};

const ROWS: [what: string, facts: Partial<GateFacts>, passage: Passage][] = [
  ["an outage is sent", {}, "send"],
  ["an end is sent", { kind: "end" }, "send"],
  ["an outage that is over is sent", { kind: "was" }, "send"],
  ["a reminder is sent", { kind: "reminder" }, "send"],
  ["a notice is sent", { kind: "notice" }, "send"],
  ["an outage of another route is skipped", { isRouted: false }, "skip"],
  ["a notice that is not wanted is skipped", { kind: "notice", isRouted: false }, "skip"],
  ["a route decides before a step", { isRouted: false, step: "early" }, "skip"],
  ["an early step waits", { step: "early" }, "wait"],
  ["an early step of a notice waits", { kind: "notice", step: "early" }, "wait"],
  ["an early step waits in quiet hours", { step: "early", isQuiet: true }, "wait"],
  ["an early step waits, acknowledged or not", { step: "early", isAcknowledged: true }, "wait"],
  ["an outage that was over before its step is skipped", { kind: "was", step: "early" }, "skip"],
  ["a step that is due is sent", { step: "due" }, "send"],
  ["a step that is due in quiet hours waits", { step: "due", isQuiet: true }, "wait"],
  ["an acknowledged step waits", { step: "due", isAcknowledged: true }, "wait"],
  [
    "an acknowledged step of what is over is skipped",
    { kind: "was", step: "due", isAcknowledged: true },
    "skip",
  ],
  ["a change of an acknowledged outage is sent", { isAcknowledged: true }, "send"],
  ["the end of an acknowledged outage is sent", { kind: "end", isAcknowledged: true }, "send"],
  ["no reminder of an acknowledged outage", { kind: "reminder", isAcknowledged: true }, "skip"],
  ["a reminder in quiet hours waits", { kind: "reminder", isQuiet: true }, "wait"],
  ["a reminder of a muted site waits", { kind: "reminder", isMuted: true }, "wait"],
  ["an early step of a muted site waits", { step: "early", isMuted: true }, "wait"],
  ["outages of a muted site wait", { isMuted: true }, "wait"],
  ["ends of a muted site wait", { kind: "end", isMuted: true }, "wait"],
  [
    "what began and ended while the site was muted is skipped",
    { kind: "was", isMuted: true },
    "skip",
  ],
  ["outages of quiet hours wait", { isQuiet: true }, "wait"],
  ["ends in quiet hours wait", { kind: "end", isQuiet: true }, "wait"],
  ["notices in quiet hours wait", { kind: "notice", isQuiet: true }, "wait"],
  ["everything waits for an interval", { isWaiting: true }, "wait"],
];

Deno.test("the gate decides about outages, ends, steps, reminders and notices", () => {
  assertEquals(
    ROWS.map(([what, facts]) => [what, gate({ ...ALWAYS, ...facts })]),
    ROWS.map(([what, , passage]) => [what, passage]),
  );
});

Deno.test("each rule of the gate decides about something that no rule before it decides about", () => {
  const flags = ["isRouted", "isAcknowledged", "isQuiet", "isMuted", "isWaiting"] as const;
  const all = (["outage", "was", "end", "reminder", "notice"] as const).flatMap((kind) =>
    ([undefined, "early", "due"] as const).flatMap((step) =>
      Array.from({ length: 2 ** flags.length }, (_, bits): GateFacts => ({
        ...ALWAYS,
        kind,
        step,
        ...Object.fromEntries(flags.map((flag, index) => [flag, (bits >> index) % 2 === 1])),
      }))
    )
  );
  const deciding = all.map((facts) =>
    RULES.findIndex(([condition]) =>
      Object.entries(condition).every(([fact, value]) => facts[fact as keyof GateFacts] === value)
    )
  );
  assertEquals(
    [...new Set(deciding)].sort((one, other) => one - other),
    RULES.map((_, index) => index),
  );
});

Deno.test("the docs show the rules of the gate in their order", async () => {
  const [, table = ""] = /^\| event .*\n\|.*\n((?:\|.*\n)+)/m
    .exec(await readDoc("docs/on-call.md")) ?? [];
  const words = {
    skip: /is not notified *\|$/,
    wait: /\| waits;/,
    send: /\| gets it now/,
  };
  const shown = table.trimEnd().split("\n").map((row) =>
    Object.entries(words).find(([, pattern]) => pattern.test(row))?.[0]
  );
  assertEquals(shown, RULES.map(([, passage]) => passage));
});
