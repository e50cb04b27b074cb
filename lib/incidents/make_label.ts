import type { Label, Platform } from "../doors/platform/platform.ts";

/** Sees to it that labels are there, each asked for once; one that is there stays as people made it. */
export function labelMaker(platform: Platform): (label: Label) => Promise<void> {
  let there: Promise<Set<string>> | undefined;
  const made = new Map<string, Promise<void>>();
  const make = async (label: Label) => {
    there ??= platform.labels().then((names) => new Set(names.map((name) => name.toLowerCase())));
    if (!(await there).has(label.name.toLowerCase())) await platform.createLabel(label);
  };
  return (label) => {
    const key = label.name.toLowerCase();
    const making = made.get(key) ?? make(label);
    made.set(key, making);
    return making;
  };
}
