/** Reports the status of the connection to `onStatus`; without it, problems are lines on stderr. */
import type { RejectedAction } from '../protocol/frames';
import { printable } from '../protocol/invisible-text';
import { connectionNotices } from './connection-notices';
import type { CheckedOptions } from './options';
import type { StatusListener, ToolkitStatus } from './status';

export class StatusReporter {
  readonly #listener: StatusListener;
  readonly #printsSkipped: boolean;
  readonly #printed = new Set<string>();

  constructor(options: Pick<CheckedOptions, 'onStatus' | 'onRejected' | 'url' | 'apiKey'>) {
    this.#listener = options.onStatus ?? connectionNotices(options);
    this.#printsSkipped = options.onStatus === undefined && options.onRejected === 'skip';
  }

  /** Calls the listener later, and ignores what it throws: it cannot disturb the connection. */
  report(status: ToolkitStatus): void {
    if (status.state === 'connected' && this.#printsSkipped) this.#printRejected(status.rejected);
    Promise.resolve(status)
      .then(this.#listener)
      .catch(() => {});
  }

  /** Each line once. */
  #printRejected(rejected: readonly RejectedAction[]): void {
    for (const { action, message } of rejected) {
      const line = `svc-sdk: action "${action}" was rejected and is skipped: ${message}\n`;
      if (this.#printed.has(line)) continue;
      this.#printed.add(line);
      process.stderr.write(printable(line));
    }
  }
}
