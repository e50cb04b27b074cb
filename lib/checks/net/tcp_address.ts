const SECRET = String.raw`\$[A-Z_]\w*`;
const HOST = String.raw`(?:\[[\da-f:.]+\]|[^\s:/@[\]]+)`;
const PORT = String.raw`(?:\d{1,5}|${SECRET})`;
const ADDRESS = new RegExp(`^(?:${HOST}:${PORT}|${SECRET})$`, "i");

/**
 * Whether a text is a host with a port, as far as can be said before secrets are put into it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const texts = ["router.lan:22", "[::1]:22", "$HOST:$PORT", "$ROUTER", "router.lan", "a:70000", "::1:22"];
 * assertEquals(texts.map(isTcpAddress), [true, true, true, true, false, false, false]);
 * ```
 */
export function isTcpAddress(text: string): boolean {
  const port = /:(\d+)$/.exec(text.trim())?.[1];
  const isPossible = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
  return isPossible && ADDRESS.test(text.trim());
}
