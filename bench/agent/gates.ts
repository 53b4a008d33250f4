/** Gates hold something open until the holder lets it go on. */

export interface Gate {
  /** Resolves when something waits at the gate. */
  reached: Promise<void>;
  open(): void;
}

interface HeldGate extends Gate {
  reach(): void;
  opened: Promise<void>;
}

export class Gates {
  readonly #gates = new Map<string, HeldGate>();

  /** Holds the first pass under this name. */
  hold(name: string): Gate {
    const reached = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    const gate = { reached: reached.promise, reach: reached.resolve, opened: opened.promise, open: opened.resolve };
    this.#gates.set(name, gate);
    return gate;
  }

  async pass(name: string): Promise<void> {
    const gate = this.#gates.get(name);
    this.#gates.delete(name);
    gate?.reach();
    await gate?.opened;
  }
}
