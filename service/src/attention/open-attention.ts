/** Creates the objects of this room, and runs them. */

import { BackgroundWork } from '../lib/background-work';
import { guardedFetch } from '../lib/guarded-fetch';
import type { KeptTexts } from '../lib/kept-texts';
import type { Logger } from '../lib/logger';
import type { Records } from '../records/records';
import type { Store } from '../store/store';
import { Attention } from './attention';
import { AlertDeliveries } from './delivery/alert-deliveries';
import { AlertTargets } from './delivery/alert-targets';
import { type ReadingsDeps, readings } from './readings';

/** Interval of asking for the turn to check. */
const TURN_MS = 5_000;
/** Interval of looking for messages that are due. */
const SEND_MS = 1_000;
const ANSWER_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1_024;

export interface OpenAttentionDeps extends Omit<ReadingsDeps, 'targets' | 'store'> {
  store: Store;
  records: Records;
  texts: KeptTexts;
  /** Hosts that targets may have although they are private. */
  privateHosts: readonly string[];
  smtpUrl: string | undefined;
  linkOf: (path: string) => string | undefined;
  logger: Logger;
}

export interface OpenedAttention {
  attention: Attention;
  targets: AlertTargets;
  close(): Promise<void>;
}

export function openAttention(deps: OpenAttentionDeps): OpenedAttention {
  const { store, logger } = deps;
  const fetch = guardedFetch({ privateHosts: deps.privateHosts, deadlineMs: ANSWER_MS, maxBytes: MAX_ANSWER_BYTES });
  const targets = new AlertTargets({ ...deps, settings: store.settings, fetch });
  const attention = new Attention({ ...deps, targets, read: (moment) => readings({ ...deps, targets }, moment) });
  const deliveries = new AlertDeliveries({ ...deps, store: store.alerts, targets });
  const work = new BackgroundWork(logger);
  const turn = new OneAtATime(() => work.run(attention.run(), 'cannot check for alerts'));
  const send = new OneAtATime(() => work.run(deliveries.run(), 'cannot read the alerts to send'));
  const timers = [setInterval(() => turn.run(), TURN_MS).unref(), setInterval(() => send.run(), SEND_MS).unref()];
  return {
    attention,
    targets,
    async close() {
      for (const timer of timers) clearInterval(timer);
      await work.settled();
      await deliveries.close();
    },
  };
}

/** Skips a run while the one before lasts. */
class OneAtATime {
  readonly #work: () => Promise<void>;
  #isRunning = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#work().finally(() => {
      this.#isRunning = false;
    });
  }
}
