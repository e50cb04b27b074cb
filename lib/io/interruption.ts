/** Asks to end: Ctrl-C, and what a system sends. */
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Until it is disposed of, being asked to end does not end the program but aborts the signal. */
export function interruption(signal?: AbortSignal): Disposable & { signal: AbortSignal } {
  if (signal !== undefined) return { signal, [Symbol.dispose]() {} };
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const name of SIGNALS) Deno.addSignalListener(name, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of SIGNALS) Deno.removeSignalListener(name, stop);
    },
  };
}
