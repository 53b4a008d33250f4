/**
 * The links between the parts of one run. Their proxies run in a thread of their own: callers that keep the main thread busy must not
 * look like a fault of the network.
 *
 * Errors: an error in the thread ends the bench.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type LinkAction = 'pass' | 'hold' | 'refuse' | 'cut';

/** A message to the thread, which answers `open` with `Opened`. */
export type LinkCommand =
  | { type: 'target'; name: string; port: number }
  | { type: 'open'; link: number; targets: readonly string[]; firstTurn: number }
  | { type: 'act'; link: number; action: LinkAction };

export interface Opened {
  link: number;
  port: number;
}

export interface Link {
  name: string;
  port: number;
  origin: string;
  pass(): void;
  hold(): void;
  refuse(): void;
  cut(): void;
}

export class Links {
  readonly #thread = new Worker(new URL('link-thread.ts', import.meta.url));
  #count = 0;

  /** Says at which port of 127.0.0.1 a target listens. A target that restarts gets a new port. */
  setTarget(name: string, port: number): void {
    this.#send({ type: 'target', name, port });
  }

  /** @param targets names of targets, one after the other; @param firstTurn whose turn is first */
  async open(name: string, targets: readonly string[], firstTurn = 0): Promise<Link> {
    const link = ++this.#count;
    const opened = this.#opened(link);
    this.#send({ type: 'open', link, targets, firstTurn });
    const port = await opened;
    const act = (action: LinkAction) => () => this.#send({ type: 'act', link, action });
    return {
      ...{ name, port, origin: `http://127.0.0.1:${port}` },
      ...{ pass: act('pass'), hold: act('hold'), refuse: act('refuse'), cut: act('cut') },
    };
  }

  /** Resets all connections. */
  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  async #opened(link: number): Promise<number> {
    for (;;) {
      const [message]: Opened[] = await once(this.#thread, 'message');
      if (message?.link === link) return message.port;
    }
  }

  #send(command: LinkCommand): void {
    this.#thread.postMessage(command);
  }
}
