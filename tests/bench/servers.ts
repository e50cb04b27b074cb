import { join } from "node:path";
import { makeScratch } from "../helpers/scratch.ts";
import type { ServersMessage } from "./serve.ts";

/** How a site of the benchmark is spoken to. */
export type Scheme = "http" | "https";

/** The running servers. */
export interface Servers extends AsyncDisposable {
  /** An address that is answered after so many milliseconds. */
  url(scheme: Scheme, delay: number): string;
  /** Path of the authority of the https server. */
  authority: string;
}

/** Starts the process of the servers and waits until they listen. */
export async function startServers(): Promise<Servers> {
  const scratch = await makeScratch("monitor-bench-");
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--frozen", "--cached-only", "--allow-all", SERVE],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const { http, https, authority } = await firstLine(child.stdout) as ServersMessage;
  await scratch.write("authority.pem", authority);
  return {
    url: (scheme, delay) => `${{ http, https }[scheme]}/${delay}`,
    authority: join(scratch.path, "authority.pem"),
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await child.status;
      await scratch[Symbol.asyncDispose]();
    },
  };
}

const SERVE = join(import.meta.dirname!, "serve.ts");

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<unknown> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const part of stream) {
    text += decoder.decode(part, { stream: true });
    if (text.includes("\n")) return JSON.parse(text);
  }
  throw new Error("Cannot start the servers of the benchmark: they ended without a word");
}
