import type { Label, Platform } from "../doors/platform/platform.ts";
import { PlatformError } from "../doors/platform/platform_error.ts";

/**
 * Sees to it that labels are there, each asked for once; one that is there stays as people made it. One
 * that can't be made keeps no issue away: the platform makes labels of new issues itself, or leaves them
 * out.
 */
export function labelMaker(platform: Platform): (label: Label) => Promise<void> {
  let there: Promise<Set<string>> | undefined;
  const made = new Map<string, Promise<void>>();
  const make = async (label: Label) => {
    try {
      there ??= platform.labels().then((names) => new Set(names.map((name) => name.toLowerCase())));
      if (!(await there).has(label.name.toLowerCase())) await platform.createLabel(label);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
    }
  };
  return (label) => {
    const key = label.name.toLowerCase();
    const making = made.get(key) ?? make(label);
    made.set(key, making);
    return making;
  };
}
