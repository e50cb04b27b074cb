/**
 * Lets the reads and pushes of one process take turns. A store keeps what it has learnt of the remote, and two
 * pushes of one clone would only make each other fail.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Starts an action once all that came before have ended, whether they failed or not. */
  take<T>(action: () => Promise<T>): Promise<T> {
    const taken = this.#last.then(action);
    this.#last = taken.catch(() => {});
    return taken;
  }
}
