import type { Socket } from "node:net";
import { plainText } from "../text/plain_text.ts";
import { closedError, openConnection, type Target } from "./connection.ts";
import { endpoint, type Stage } from "./network_failure.ts";
import type { Phases } from "./observation.ts";
import { Stopwatch, unlessAborted, withTimeLimit } from "./timing.ts";

const MOST_LINES = 64;
const MOST_BYTES = 16 * 1024;

/** An answer that ends a dialogue; the message is the reason, and `said` what the server said, which may name it. */
export class DialogueError extends Error {
  override readonly name = "DialogueError";
  constructor(message: string, readonly said = "") {
    super(message);
  }
}

export class Dialogue {
  #received = new Uint8Array();
  #lines = 0;
  #bytes = 0;
  #end: Error | undefined;
  #wake = () => {};

  readonly #receive = (part: Uint8Array) => {
    const joined = new Uint8Array(this.#received.length + part.length);
    joined.set(this.#received);
    joined.set(part, this.#received.length);
    this.#received = joined;
    this.#wake();
  };
  readonly #fail = (error?: Error) => {
    this.#end ??= error instanceof Error ? error : closedError();
    this.#wake();
  };
  readonly #close = () => this.#fail();

  constructor(readonly socket: Socket, readonly signal: AbortSignal) {
    socket.on("data", this.#receive);
    socket.on("error", this.#fail);
    for (const event of ["end", "close"]) socket.on(event, this.#close);
  }

  /** Sends a line. The answer to it may have 64 lines and 16 KiB. */
  async send(line: string): Promise<void> {
    this.#lines = 0;
    this.#bytes = 0;
    await unlessAborted<void>(this.signal, (resolve, reject) => {
      this.socket.write(`${line}\r\n`, (error) => error ? reject(error) : resolve());
    });
  }

  /**
   * Reads a line, without its end and control characters.
   *
   * @throws {DialogueError} If the answer has no end.
   */
  async readLine(): Promise<string> {
    while (true) {
      const end = this.#received.indexOf(0x0a);
      const length = end === -1 ? this.#received.length : end + 1;
      if (this.#bytes + length > MOST_BYTES) {
        throw new DialogueError("the answer is longer than 16 KiB");
      }
      if (end !== -1) {
        if (++this.#lines > MOST_LINES) {
          throw new DialogueError(`the answer has more than ${MOST_LINES} lines`);
        }
        this.#bytes += length;
        const line = this.#received.subarray(0, end);
        this.#received = this.#received.slice(length);
        return plainText(new TextDecoder().decode(line));
      }
      if (this.#end !== undefined) throw this.#end;
      await unlessAborted<void>(this.signal, (resolve) => this.#wake = resolve);
    }
  }

  /** Leaves the connection to another reader; returns the number of bytes that nobody has read. */
  release(): number {
    this.socket.off("data", this.#receive);
    for (const event of ["end", "close"]) this.socket.off(event, this.#close);
    this.socket.off("error", this.#fail);
    return this.#received.length;
  }
}

/** Result of a dialogue, or the error that ended it and the stage in which it did. */
interface Held<T> {
  phases?: Phases;
  responseTime: number;
  address?: string;
  said?: T;
  error?: { cause: Error; stage: Stage };
}

/** A dialogue: what it finds, and the milliseconds of its phases once the connection was open. */
export type Talk<T> = (
  socket: Socket,
  signal: AbortSignal,
  watch: Stopwatch,
) => Promise<{ found: T; phases: Pick<Phases, "ttfb"> & Partial<Phases> }>;

/** Opens a connection, holds a dialogue over it, and closes it. `watch.stage` says what `talk` waits for. */
export async function holdDialogue<T>(
  target: Target,
  { connectTimeout, requestTimeout, signal }: {
    connectTimeout: number;
    requestTimeout: number;
    signal: AbortSignal;
  },
  talk: Talk<T>,
): Promise<Held<T>> {
  const watch = new Stopwatch(target.host);
  let socket: Socket | undefined;
  let address: string | undefined;
  try {
    return await withTimeLimit(requestTimeout, signal, async (signal) => {
      socket = await openConnection(target, { connectTimeout, signal, watch });
      address = endpoint(socket.remoteAddress ?? target.host, socket.remotePort);
      const opened = watch.stop();
      watch.stage = "waiting for the greeting";
      const { found, phases: { tls = 0, ...later } } = await talk(socket, signal, watch);
      const phases = { ...opened, download: 0, ...later, tls: opened.tls + tls };
      const responseTime = Object.values(phases).reduce((sum, time) => sum + time, 0);
      return { phases, responseTime, address, said: found };
    });
  } catch (error) {
    const responseTime = watch.elapsed;
    return { responseTime, address, error: { cause: error as Error, stage: watch.stage } };
  } finally {
    socket?.on("error", () => {});
    socket?.destroy();
  }
}
