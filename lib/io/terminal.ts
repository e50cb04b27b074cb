import { promptSecret } from "@std/cli/prompt-secret";
import { plainText } from "../text/plain_text.ts";
import { FEWEST_COLUMNS, wrapLine } from "../text/wrap.ts";

/** Asks at the terminal: `fallback` (not shown if empty) for an empty answer, `undefined` at the end of input. */
export type Ask = (question: string, fallback?: string) => string | undefined;

export interface Input {
  isTerminal(): boolean;
  readable: ReadableStream<Uint8Array>;
  /** Asks the person at the terminal; `null` if the input has ended. */
  prompt(question: string): string | null;
  /** Asks for something that is not shown while it is typed. */
  promptSecret(question: string): string | null;
}

export const systemInput: Input = {
  isTerminal: () => Deno.stdin.isTerminal(),
  get readable() {
    return Deno.stdin.readable;
  },
  prompt: (question) => prompt(printStart(question)),
  promptSecret: (question) => promptSecret(printStart(question), { mask: "" }),
};

/** Columns that are left for an answer. */
const ANSWER_ROOM = 16;

/** Prints all lines of a question but the last, which is returned. */
function printStart(question: string): string {
  const columns = Math.max(FEWEST_COLUMNS, terminalColumns("stdout") ?? Infinity);
  const lines = wrapLine(plainText(question), columns - ANSWER_ROOM);
  const [last = "", ...others] = lines.toReversed();
  for (const line of others.reverse()) Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
  return last;
}

export function askOn(input: Input): Ask {
  return (question, fallback) => {
    const answer = input.prompt(fallback ? `${question} [${fallback}]` : question);
    return answer === null ? undefined : answer.trim() || fallback;
  };
}

/** Bytes of a value that is never shown: piped in, or typed without being echoed. */
export async function readSecretInput(
  input: Input,
  question: string,
): Promise<Uint8Array<ArrayBuffer>> {
  if (input.isTerminal()) return new TextEncoder().encode(input.promptSecret(question) ?? "");
  return new Uint8Array(await new Response(input.readable as BodyInit).arrayBuffer());
}

export const USUAL_COLUMNS = 80;

/** Columns of the terminal; `undefined` if the stream goes to no terminal. */
export function terminalColumns(stream: "stdout" | "stderr"): number | undefined {
  // A terminal that does not say how wide it is has 0 columns.
  return Deno[stream].isTerminal() ? Deno.consoleSize().columns || USUAL_COLUMNS : undefined;
}

/** Asks to end: Ctrl-C, and what a system sends. */
const SIGNALS = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK"] as const
  : ["SIGINT", "SIGTERM"] as const;

/** Milliseconds in which signals are one: a terminal sends Ctrl-C to npx too, which passes it on. */
const SAME_SIGNAL = 500;

/**
 * Until it is disposed of, a first signal to end does not end the program but aborts the signal. A second one,
 * half a second later or more, ends it.
 */
export function interruption(signal?: AbortSignal): Disposable & { signal: AbortSignal } {
  if (signal !== undefined) return { signal, [Symbol.dispose]() {} };
  const controller = new AbortController();
  const release = () => {
    for (const name of SIGNALS) Deno.removeSignalListener(name, stop);
  };
  const stop = () => {
    if (controller.signal.aborted) return;
    controller.abort();
    Deno.unrefTimer(setTimeout(release, SAME_SIGNAL));
  };
  for (const name of SIGNALS) Deno.addSignalListener(name, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      // The same signal may still come twice while the program ends.
      if (!controller.signal.aborted) release();
    },
  };
}
