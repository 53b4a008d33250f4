/**
 * A share of the event loop for the messages of all MCP servers of this process: a server that floods waits for itself, and no other toolkit for it.
 *
 * Shape:  the servers with messages take turns, one message each, until the turn is over. The rest waits for the next iteration of the event loop.
 * Units:  milliseconds.
 */
const TURN_MS = 5;
/** The client goes on with a message after this loop, so a clock does not see all of its work. */
const MESSAGES_PER_TURN = 32;

/** Handles one message. Returns false when there is none, or when it has to wait and was added again. */
export type TurnStep = () => boolean;

export class Turns {
  #waiting: TurnStep[] = [];
  #isScheduled = false;

  /** The step runs in the next turn, and again for as long as it returns true. */
  add(step: TurnStep): void {
    this.#waiting.push(step);
    this.#schedule();
  }

  /** Resolves within the next turn that has room. */
  next(): Promise<void> {
    return new Promise((resolve) =>
      this.add(() => {
        resolve();
        return false;
      }),
    );
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isScheduled = false;
    // A step that is added in this turn is for the next one.
    const steps = this.#waiting;
    this.#waiting = [];
    const endsAt = performance.now() + TURN_MS;
    let handled = 0;
    do {
      const step = steps.shift();
      if (!step) break;
      if (step()) steps.push(step);
      handled++;
    } while (handled < MESSAGES_PER_TURN && performance.now() < endsAt);
    this.#waiting.unshift(...steps);
    if (this.#waiting.length > 0) this.#schedule();
  }
}

/** Those of this process. */
export const turns = new Turns();
