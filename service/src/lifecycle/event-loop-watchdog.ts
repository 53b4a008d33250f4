/**
 * Detects an event loop that was blocked for more than a second. The node then reports "not ready" for some seconds, and a log line names
 * the work that took longest.
 *
 * A process that used little processor time was suspended or starved from outside (SIGSTOP, a suspended machine): the log line then names
 * no work.
 */
import type { Readiness } from '../http/readiness';
import { type CurrentWork, currentWork } from '../lib/current-work';
import type { Logger } from '../lib/logger';

const TICK_MS = 100;
const MAX_LAG_MS = 1_000;
/** Long enough for a load balancer that polls every second or two. */
const NOT_READY_MS = 5_000;
/** Blocked work uses at least this share of the lag as processor time. */
const BUSY_SHARE = 0.5;

export interface EventLoopWatchdogDeps {
  readiness: Readiness;
  logger: Logger;
  work?: Pick<CurrentWork, 'take'>;
}

export class EventLoopWatchdog {
  readonly #readiness: Readiness;
  readonly #logger: Logger;
  readonly #work: Pick<CurrentWork, 'take'>;
  readonly #timer: NodeJS.Timeout;
  #lastTick = performance.now();
  #lastCpu = process.cpuUsage();
  #notReady: { timer: NodeJS.Timeout; unblock: () => void } | undefined;
  #blocks = 0;
  #blockedMs = 0;

  constructor({ readiness, logger, work = currentWork }: EventLoopWatchdogDeps) {
    this.#readiness = readiness;
    this.#logger = logger;
    this.#work = work;
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Number and total duration of the blocks since the start. */
  get activity(): { blocks: number; blockedMs: number } {
    return { blocks: this.#blocks, blockedMs: this.#blockedMs };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#endNotReady();
  }

  #tick(): void {
    const now = performance.now();
    const cpu = process.cpuUsage(this.#lastCpu);
    const lagMs = now - this.#lastTick - TICK_MS;
    this.#lastTick = now;
    this.#lastCpu = process.cpuUsage();
    const longest = this.#work.take();
    if (lagMs < MAX_LAG_MS) return;
    this.#blocks++;
    this.#blockedMs += lagMs;
    this.#beginNotReady();
    const cpuMs = (cpu.user + cpu.system) / 1_000;
    const times = { lagMs: Math.round(lagMs), cpuMs: Math.round(cpuMs) };
    if (cpuMs < lagMs * BUSY_SHARE) this.#logger.warn(times, 'process was suspended or had no processor');
    else this.#logger.warn({ ...times, ...causeOf(longest, lagMs) }, 'event loop was blocked');
  }

  #beginNotReady(): void {
    this.#notReady ??= {
      unblock: this.#readiness.block('the event loop was blocked'),
      timer: setTimeout(() => this.#endNotReady(), NOT_READY_MS).unref(),
    };
    this.#notReady.timer.refresh();
  }

  #endNotReady(): void {
    if (!this.#notReady) return;
    clearTimeout(this.#notReady.timer);
    this.#notReady.unblock();
    this.#notReady = undefined;
  }
}

/** Work that took less than half of the lag did not cause the block: a background job did. */
function causeOf(longest: ReturnType<CurrentWork['take']>, lagMs: number): object {
  if (!longest || longest.ms < lagMs / 2) return {};
  return { route: longest.route, key: longest.keyId, workMs: Math.round(longest.ms) };
}
