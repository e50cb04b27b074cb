import { promptSecret } from "@std/cli/prompt-secret";

/** The bytes of a value that is never shown: what is piped in, or what a person types without seeing it. */
export async function readSecretInput(question: string): Promise<Uint8Array<ArrayBuffer>> {
  if (Deno.stdin.isTerminal()) {
    return new TextEncoder().encode(promptSecret(question, { mask: "" }) ?? "");
  }
  return new Uint8Array(await new Response(Deno.stdin.readable).arrayBuffer());
}
