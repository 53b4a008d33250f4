/**
 * Limits the time of each event-loop turn for messages of this process's MCP servers: a server that floods delays only itself, no other toolkit.
 *
 * Shape:  the servers with messages take turns, one message each, until the turn is over. The rest waits for the next iteration of the event loop.
 * Units:  milliseconds.
 */
const TURN_MS = 5;
/** The client continues with a message after this loop, so a clock does not measure all of its work. */
const MESSAGES_PER_TURN = 32;

/** Handles one message. Returns false if there is none, or if it must wait and was added again. */
export type TurnStep = () => boolean;

export class Turns {
  #waiting: TurnStep[] = [];
  #isScheduled = false;

  /** Runs the step in the next turn, and repeats it while it returns true. */
  add(step: TurnStep): void {
    this.#waiting.push(step);
    this.#schedule();
  }

  /** Resolves within the next turn with time left. */
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
    // A step that is added during this turn runs in the next one.
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

/** Shared by all servers of this process. */
export const turns = new Turns();
