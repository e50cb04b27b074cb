import { promptSecret } from "@std/cli/prompt-secret";

/**
 * Asks the person at the terminal, and returns what they answer: `fallback` where they only press enter,
 * `undefined` where there is none, or where the input is at its end.
 */
export type Ask = (question: string, fallback?: string) => string | undefined;

/** Standard input of the program. */
export interface Input {
  isTerminal(): boolean;
  /** Everything that is piped in. */
  readable: ReadableStream<Uint8Array>;
  /** Asks the person at the terminal; `null` if the input has ended. */
  prompt(question: string): string | null;
  /** Asks for something that is not shown while it is typed. */
  promptSecret(question: string): string | null;
}

/** Standard input of the process. */
export const systemInput: Input = {
  isTerminal: () => Deno.stdin.isTerminal(),
  get readable() {
    return Deno.stdin.readable;
  },
  prompt: (question) => prompt(question),
  promptSecret: (question) => promptSecret(question, { mask: "" }),
};

/** Asks on the terminal that an input belongs to. */
export function askOn(input: Input): Ask {
  return (question, fallback) => {
    const answer = input.prompt(fallback === undefined ? question : `${question} [${fallback}]`);
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
