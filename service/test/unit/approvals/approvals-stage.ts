/** Approvals on a real store. A scripted runner takes the place of the calls that go on without their callers. */
import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { SvcError } from '#sdk/protocol/errors';
import type { ApprovedRun, ApprovedRuns, FollowedRun } from '../../../src/approvals/approved-runs';
import type { ApprovalAsk } from '../../../src/approvals/call-approvals';
import { openApprovals } from '../../../src/approvals/open-approvals';
import { Audit } from '../../../src/audit/audit';
import { versionOf } from '../../../src/catalog/action-version';
import { SecretKeys } from '../../../src/connections/secret-keys';
import { KeyRing } from '../../../src/keys/key-ring';
import { Doorbell } from '../../../src/lib/doorbell';
import { silentLogger } from '../../../src/lib/logger';
import type { Verdict } from '../../../src/rules/call-rules';
import { openSqliteStore } from '../../../src/store/sqlite/open';
import type { ActionRecord, Store } from '../../../src/store/store';
import { aKey, anAction, hashOf } from '../../contract/store-records';

export const ADA = { kind: 'person', id: 'ada', name: 'Ada' } as const;
const ASKS: Verdict = { do: 'ask', decidedBy: 'people', rule: { match: {}, do: 'ask' } };

class ScriptedRuns implements ApprovedRuns {
  readonly started = new Map<string, ApprovedRun>();
  /** The end of each run that has ended. */
  readonly ends = new Map<string, FollowedRun | SvcError>();

  readonly #invocations: Store['invocations'];

  constructor({ invocations }: Store) {
    this.#invocations = invocations;
  }

  async start(run: ApprovedRun): Promise<string> {
    if (this.started.has(run.id)) return run.id;
    this.started.set(run.id, run);
    const { id, idempotencyKey, requestHash, actionId: action, key } = run;
    await this.#invocations.start({ id, agentKeyId: key.id, idempotencyKey, requestHash, action, startedAt: Date.now() });
    return id;
  }

  async follow(id: string): Promise<FollowedRun> {
    const end = this.ends.get(id) ?? { status: 202, json: JSON.stringify({ invocationId: id, status: 'running' }) };
    if (end instanceof Error) throw end;
    return end;
  }

  async cancel(id: string): Promise<void> {
    this.ends.set(id, new SvcError('INVOCATION_CANCELLED', 'cancelled'));
  }

  /** The only run ends. */
  end(end: FollowedRun | SvcError = { status: 200, json: '{"result":1}' }): void {
    for (const id of this.started.keys()) this.ends.set(id, end);
  }
}

export async function approvalStage(limits = { approvalsPerKey: 100, approvalMs: 60_000 }) {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const key = aKey();
  await store.keys.insert(key);
  const world = {
    action: { ...anAction('buy'), toolkitId: 'shop' } as ActionRecord | undefined,
    verdict: ASKS,
    runs: new ScriptedRuns(store),
    changes: 0,
  };
  const doorbell = new Doorbell();
  const keys = new KeyRing(store);
  const opened = openApprovals({
    store,
    keys,
    catalog: { action: () => world.action },
    rules: { verdict: () => world.verdict },
    texts: SecretKeys.read(`k1:${randomBytes(32).toString('base64')}`, 'test', 'test'),
    runs: world.runs,
    doorbell,
    announce(id) {
      world.changes++;
      doorbell.ring(id);
    },
    pageOf: (id) => `https://svc.example/approvals/${id}`,
    newHandle: () => `inv_${randomBytes(8).toString('hex')}`,
    audit: new Audit(store.audit),
    logger: silentLogger,
    limits,
    privateHosts: ['127.0.0.1'],
  });
  const ask = (change: Partial<ApprovalAsk> = {}): ApprovalAsk => ({
    key,
    callerIds: { sessionId: 'chat', userId: 'u_1' },
    userId: 'u_1',
    actionId: 'shop__buy',
    actionVersion: world.action ? versionOf(world.action) : '',
    payload: { item: 'secret-canary', count: 2 },
    requestHash: hashOf('buy'),
    hold: undefined,
    connection: undefined,
    connectionName: undefined,
    decidedBy: 'people',
    rule: ASKS.do === 'ask' ? ASKS.rule : undefined,
    idempotencyKey: undefined,
    timeoutMs: 30_000,
    waitMs: 0,
    onDisconnect() {},
    ...change,
  });
  const stage = { ...opened, store, key, keys, world, ask };
  return {
    ...stage,
    /** The only pending approval. */
    pending: () => onlyPending(store),
    async decide(decision: 'approve' | 'deny', more: { reason?: string; sessionSeconds?: number } = {}) {
      const record = await onlyPending(store);
      await opened.decisions.decide(record, { decision, ...more }, ADA);
      return record.id;
    },
  };
}

async function onlyPending({ approvals }: Store) {
  const [record, ...more] = await approvals.list({ statuses: ['pending'], limit: 10 });
  if (!record || more.length > 0) throw new Error(`There are ${more.length + (record ? 1 : 0)} pending approvals`);
  return record;
}

/** The error of a call that was not approved. */
export async function refusal(asking: Promise<unknown>): Promise<SvcError> {
  const error = await asking.then(
    () => new Error('it was approved'),
    (reason: unknown) => reason,
  );
  if (SvcError.is(error)) return error;
  throw error;
}
