import { STATUS_CODES } from "node:http";

/**
 * An HTTP status with its standard phrase, where it has one.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([statusWords(503), statusWords(599)], ["503 Service Unavailable", "599"]);
 * ```
 */
export function statusWords(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ""}`.trim();
}
