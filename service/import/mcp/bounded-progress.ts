/** Limits the rate of a call's progress: during a flood only the newest reports are sent. */
import type { ActionContext } from 'svc-sdk';
import { TokenBucket } from '../../src/lib/token-bucket';

type Progress = Parameters<ActionContext['progress']>[0];

const REPORTS = { burst: 20, perSecond: 10 };

export class BoundedProgress {
  readonly #report: (progress: Progress) => void;
  readonly #rate = new TokenBucket(REPORTS);
  #newest: Progress | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(report: (progress: Progress) => void) {
    this.#report = report;
  }

  add(progress: Progress): void {
    this.#newest = progress;
    if (!this.#timer) this.#reportNewest();
  }

  /** Reports the last one at once, before the result. */
  end(): void {
    clearTimeout(this.#timer);
    if (this.#newest) this.#report(this.#newest);
    this.#newest = undefined;
  }

  #reportNewest(): void {
    this.#timer = undefined;
    const { waitMs } = this.#rate;
    if (waitMs > 0) {
      this.#timer = setTimeout(() => this.#reportNewest(), waitMs).unref();
      return;
    }
    this.#rate.take(1);
    const newest = this.#newest;
    this.#newest = undefined;
    if (newest) this.#report(newest);
  }
}
