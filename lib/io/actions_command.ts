/**
 * A text that GitHub takes no command from: it looks for `::` at the start of a line, blanks
 * aside, and for `##[` anywhere (github.com/actions/runner, ActionCommand.cs).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(withoutCommands("  ::set-output name=a::b"), "  : :set-output name=a::b");
 * ```
 */
export function withoutCommands(text: string): string {
  return text.replace(/^(\s*)::/gmu, "$1: :").replaceAll("##[", "## [");
}

/** A command to GitHub, as a line of the output. */
export function command(
  name: string,
  properties: Record<string, string | number>,
  text: string,
): string {
  const escape = (value: string) =>
    value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const pairs = Object.entries(properties).map(([key, value]) =>
    `${key}=${escape(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`
  );
  return `::${name}${pairs.length > 0 ? ` ${pairs.join(",")}` : ""}::${escape(text)}\n`;
}
