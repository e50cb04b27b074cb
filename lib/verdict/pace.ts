/** Milliseconds between two starts: what a TLS handshake costs of a small machine's processor, and as much again. */
const INTERVAL = 2;
/** A timer this much late, in milliseconds, tells that the processor is behind with its work. */
const LATE = 2;
/** Most intervals that one start waits for the processor. */
const PATIENCE = 25;

/**
 * Lets actions start one after the other with a little time between them. Connections that are opened
 * all at once wait for the processor, and each would measure the work for the others.
 */
export class Pace {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when it is the caller's turn to start. */
  turn(): Promise<void> {
    const turn = this.#last;
    this.#last = turn.then(idle);
    return turn;
  }
}

async function idle(): Promise<void> {
  for (let waited = 0; waited < PATIENCE; waited++) {
    const start = performance.now();
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    if (performance.now() - start - INTERVAL < LATE) return;
  }
}
