/** Steps of approvals that no request causes: they expire, are withdrawn, start and are removed. Every node looks; each step happens once. */
import type { Logger } from '../lib/logger';
import type { CallApprovalStore } from '../store/approval-store';
import type { ApprovalWebhook } from './approval-webhook';
import type { Approvals } from './approvals';
import type { ApprovedCalls } from './approved-calls';
import type { PresentCalls } from './present-call';

/** The catalogue of a node may be older than that of the node that asked. */
const CATALOG_LAG_MS = 3_000;
const PER_TURN = 100;
/** Ended approvals stay readable for so long. */
const KEEP_MS = 86_400_000;

export interface ApprovalJobsDeps {
  approvals: Pick<Approvals, 'refreshKeys'>;
  store: CallApprovalStore;
  present: Pick<PresentCalls, 'changedAction'>;
  calls: ApprovedCalls;
  webhook: Pick<ApprovalWebhook, 'run'>;
  announce(id: string): void;
  logger: Logger;
}

export class ApprovalJobs {
  readonly #deps: ApprovalJobsDeps;
  #running: Promise<void> | undefined;

  constructor(deps: ApprovalJobsDeps) {
    this.#deps = deps;
  }

  /** Call this each second. A run that is still in progress is not doubled. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async remove(): Promise<void> {
    await this.#deps.store.remove(KEEP_MS);
  }

  async #run(): Promise<void> {
    // Most services have none, and need none of the queries below.
    if (!(await this.#deps.approvals.refreshKeys())) return;
    const { store, present, announce } = this.#deps;
    for (const id of [...(await store.expire()), ...(await store.withdrawEnded())]) announce(id);
    for (const approval of await store.pending(CATALOG_LAG_MS)) {
      const reason = present.changedAction(approval);
      if (reason !== undefined && (await store.change(approval.id, 'pending', { status: 'withdrawn', reason }))) announce(approval.id);
    }
    await this.#deps.webhook.run();
    await this.#start();
    for (const record of await store.unfinished('used', PER_TURN)) await this.#try(record.id, () => this.#deps.calls.check(record));
  }

  async #start(): Promise<void> {
    for (const record of await this.#deps.store.unfinished('approved', PER_TURN)) {
      const { id, invocationId, decidedAt, readAt } = record;
      if (readAt - (decidedAt ?? 0) > KEEP_MS) await this.#withdraw(id);
      else if (invocationId !== null) await this.#try(id, () => this.#deps.calls.start(record, invocationId));
    }
  }

  async #withdraw(id: string): Promise<void> {
    const { store, announce } = this.#deps;
    if (await store.change(id, 'approved', { status: 'withdrawn', reason: 'it did not run within a day' })) announce(id);
  }

  /** One that fails must not hold up the others. */
  async #try(approval: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#deps.logger.warn({ error, approval }, 'cannot go on with an approved call yet: tries again');
    }
  }
}
