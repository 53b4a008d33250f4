/**
 * The links between the parts of one run. Their proxies run in a separate process: callers that keep the bench busy must not look like a
 * fault of the network. It is not a thread, because Node 24 may wait forever for the sockets of a thread that is terminated.
 *
 * Errors: an error in that process ends the bench.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type LinkAction = 'pass' | 'hold' | 'refuse' | 'cut';

/** A message to the process, which answers `open` with `Opened`. */
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
  readonly #process: ChildProcess;
  #count = 0;

  constructor() {
    const child = fork(fileURLToPath(new URL('link-process.ts', import.meta.url)));
    child.once('exit', (code) => {
      if (code !== null) throw new Error(`The links ended with ${code}`);
    });
    this.#process = child;
  }

  /** Returns the port of a target on 127.0.0.1. A target that restarts gets a new port. */
  setTarget(name: string, port: number): void {
    this.#send({ type: 'target', name, port });
  }

  /** @param targets names of targets, one after the other; @param firstTurn index of the first target */
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
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }

  async #opened(link: number): Promise<number> {
    for (;;) {
      const [message]: Opened[] = await once(this.#process, 'message');
      if (message?.link === link) return message.port;
    }
  }

  #send(command: LinkCommand): void {
    this.#process.send(command);
  }
}
