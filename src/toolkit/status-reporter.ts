/**
 * Reports the status of the connection to `onStatus` and mistakes in calls to `onWarning`. Without `onStatus`, problems are printed to
 * stderr.
 */
import type { RejectedAction } from '../protocol/frames';
import { printable } from '../protocol/invisible-text';
import { connectionNotices } from './connection-notices';
import type { CheckedOptions } from './options';
import type { CallWarning, StatusListener, ToolkitStatus, WarningListener } from './status';

export class StatusReporter {
  readonly #listener: StatusListener;
  readonly #onWarning: WarningListener | undefined;
  readonly #printsSkipped: boolean;
  readonly #printed = new Set<string>();

  constructor(options: Pick<CheckedOptions, 'onStatus' | 'onWarning' | 'onRejected' | 'url' | 'apiKey'>) {
    this.#listener = options.onStatus ?? connectionNotices(options);
    this.#onWarning = options.onWarning;
    this.#printsSkipped = options.onStatus === undefined && options.onRejected === 'skip';
  }

  report(status: ToolkitStatus): void {
    if (status.state === 'connected' && this.#printsSkipped) this.#printRejected(status.rejected);
    callLater(this.#listener, status);
  }

  /** @param params of the notification; invalid params are ignored */
  warn(params: unknown): void {
    const { invocationId, message } = (params ?? {}) as Partial<CallWarning>;
    if (this.#onWarning && typeof invocationId === 'string' && typeof message === 'string')
      callLater(this.#onWarning, { invocationId, message });
  }

  /** Prints each line once. */
  #printRejected(rejected: readonly RejectedAction[]): void {
    for (const { action, message } of rejected) {
      const line = `svc-sdk: action "${action}" was rejected and is skipped: ${message}\n`;
      if (this.#printed.has(line)) continue;
      this.#printed.add(line);
      process.stderr.write(printable(line));
    }
  }
}

/** Ignores errors of the listener, which must not affect the connection. */
function callLater<Report>(listener: (report: Report) => void, report: Report): void {
  Promise.resolve(report)
    .then(listener)
    .catch(() => {});
}
