import { expect, test } from 'vitest';
import type { CallerAsk } from '#sdk/protocol/ask';
import { SvcError } from '#sdk/protocol/errors';
import type { Rule } from '#sdk/protocol/rules';
import type { ApprovalAsk, Approved, CallApprovals } from '../../../src/approvals/call-approvals';
import type { AdmittedCall } from '../../../src/calls/admission';
import type { CallRequest } from '../../../src/calls/call-request';
import { Preparation, type PreparationDeps } from '../../../src/calls/preparation';
import { requestHash } from '../../../src/calls/request-hash';
import { READ_RESULT } from '../../../src/calls/result-part';
import { CallConnection } from '../../../src/lib/call-connection';
import type { Verdict } from '../../../src/rules/call-rules';
import type { ActionRecord, InvocationRecord } from '../../../src/store/store';

const ACTION: ActionRecord = { toolkitId: 'bank', name: 'send', description: 'Sends', payloadSchema: {}, annotations: {} };

function preparation(change: {
  verdict?: Verdict;
  earlier?: Partial<InvocationRecord>;
  find?: () => Promise<undefined>;
  connect?: () => Promise<never>;
  require?: CallApprovals['require'];
  /** Set: the key has asked before. */
  settled?: { run: Approved | undefined };
}) {
  const steps: string[] = [];
  const asked: ApprovalAsk[] = [];
  const deps = {
    store: { find: change.find ?? (async () => change.earlier) },
    ledger: { spent: async () => new Map() },
    rules: { verdict: () => change.verdict ?? { do: 'allow' }, hides: () => false },
    approvals: {
      hasAsked: () => change.settled !== undefined,
      settle: async () => {
        steps.push('settle');
        return change.settled?.run;
      },
      require: async (ask: ApprovalAsk) => {
        steps.push('approval');
        asked.push(ask);
        return (await change.require?.(ask)) ?? { free: true };
      },
    },
    required: {
      askOf: () => ({ name: undefined }),
      open: async () => {
        steps.push('connection');
        await change.connect?.();
        return { id: 'con_1', connection: CallConnection.of({ type: 'bearer', token: 'secret', account: 'octocat' }) };
      },
    },
    refused: {
      record: (_: unknown, __: unknown, ___: unknown, error: SvcError) => {
        steps.push(error.code);
        return error;
      },
    },
    timeoutOf: () => 60_000,
  } as unknown as PreparationDeps;
  return { made: new Preparation(deps), steps, asked };
}

function requestOf(change: Partial<CallRequest> = {}): CallRequest {
  const key = { id: 'key_1', ownerId: null, budget: null } as CallRequest['key'];
  return { key, body: {}, idempotencyKey: 'k', timeoutMs: undefined, onDisconnect: () => {}, onProgress: undefined, ...change };
}

function callOf(action: ActionRecord = ACTION, payment?: AdmittedCall['payment']): AdmittedCall {
  return { actionId: 'bank__send', action, payload: {}, payloadJson: '{}', repaired: [], payment, actionVersion: undefined };
}

const SAME_CALL = requestHash(requestOf(), callOf(), undefined);
const OBSERVED = {} as Parameters<Preparation['prepare']>[3];

test('a rule that denies refuses the call before anything else is looked at', () => {
  const { made, steps } = preparation({ verdict: { do: 'deny' } });
  expect(() => made.needsOf(requestOf(), callOf())).toThrow(expect.objectContaining({ code: 'ACTION_NOT_ALLOWED' }));
  expect(steps).toEqual([]);
});

test('a person is asked last, with the account that the call would act with', async () => {
  const { made, steps, asked } = preparation({ verdict: { do: 'ask', decidedBy: 'people' } });
  const request = requestOf();
  const call = callOf();
  await made.prepare(request, call, made.needsOf(request, call), OBSERVED);
  expect(steps).toEqual(['connection', 'approval']);
  expect(asked[0]).toMatchObject({
    actionId: 'bank__send',
    connection: 'con_1 octocat',
    decidedBy: 'people',
    waitMs: 0,
    idempotencyKey: 'k',
  });
});

test('a call without its account asks no person', async () => {
  const refusal = new SvcError('CONNECTION_REQUIRED', 'Connect');
  const { made, steps } = preparation({ verdict: { do: 'ask', decidedBy: 'people' }, connect: () => Promise.reject(refusal) });
  const request = requestOf();
  await expect(made.prepare(request, callOf(), made.needsOf(request, callOf()), OBSERVED)).rejects.toBe(refusal);
  expect(steps).toEqual(['connection', 'CONNECTION_REQUIRED']);
});

test('the error of a stored question stays, also when the store is away by then', async () => {
  const away = new SvcError('SERVICE_UNAVAILABLE', 'The database is away');
  const prepared = async (refusal: SvcError) => {
    let finds = 0;
    const { made } = preparation({
      verdict: { do: 'ask', decidedBy: 'people' },
      require: () => Promise.reject(refusal),
      find: async () => {
        if (++finds > 1) throw away;
        return undefined;
      },
    });
    return made.prepare(requestOf(), callOf(), made.needsOf(requestOf(), callOf()), OBSERVED);
  };
  for (const code of ['APPROVAL_REQUIRED', 'INVOCATION_TIMEOUT'] as const) {
    const asked = new SvcError(code, 'A person has to approve this call');
    await expect(prepared(asked)).rejects.toBe(asked);
  }
  // Its first call may have run.
  await expect(prepared(new SvcError('APPROVAL_DENIED', 'No'))).rejects.toBe(away);
});

test('a retry of a call that ran asks no person', async () => {
  const { made, steps } = preparation({
    verdict: { do: 'ask', decidedBy: 'people' },
    earlier: { requestHash: SAME_CALL, outcome: { code: 'OK', body: '{}', endedAt: 1 } },
  });
  const request = requestOf();
  await made.prepare(request, callOf(), made.needsOf(request, callOf()), OBSERVED);
  expect(steps).toEqual(['connection']);
});

test('another call under the key of an earlier one is refused, and neither joins it nor asks', async () => {
  const { made, steps } = preparation({
    verdict: { do: 'ask', decidedBy: 'people' },
    earlier: { id: 'inv_1', requestHash: SAME_CALL, outcome: null },
  });
  const request = requestOf();
  const other = { ...callOf(), payloadJson: '{"amount":1000}' };
  const preparing = made.prepare(request, other, made.needsOf(request, other), OBSERVED);
  await expect(preparing).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  expect(steps).toEqual(['connection']);
});

test('reading a result and the run of an approval ask no person', () => {
  const { made } = preparation({ verdict: { do: 'ask', decidedBy: 'people' } });
  expect(made.needsOf(requestOf(), callOf(READ_RESULT)).approval).toBeUndefined();
  expect(made.needsOf(requestOf({ approvalId: 'apr_1' }), callOf()).approval).toBeUndefined();
});

const PRICE = { amount: '0.60', currency: 'EUR' };
test.each<[CallerAsk, Partial<ActionRecord>, boolean]>([
  [{ always: true }, {}, true],
  [{ destructive: true }, {}, false],
  [{ destructive: true }, { annotations: { destructive: true } }, true],
  [{ destructive: true }, { annotations: { destructive: false } }, false],
  [{ above: '0.50' }, {}, false],
  [{ above: '0.50' }, { payment: PRICE }, true],
  [{ above: '0.60' }, { payment: PRICE }, false],
])("the caller's own rule %j about an action with %j asks: %s", (ask, action, asks) => {
  const { made } = preparation({});
  const { approval } = made.needsOf(requestOf({ ask }), callOf({ ...ACTION, ...action }));
  expect(approval).toEqual(asks ? { do: 'ask', decidedBy: 'app' } : undefined);
});

test("the caller's own rule does not take a decision away from people", () => {
  const { made } = preparation({ verdict: { do: 'ask', decidedBy: 'people' } });
  expect(made.needsOf(requestOf({ ask: { always: true } }), callOf()).approval).toMatchObject({ decidedBy: 'people' });
});

test('a request waits for a person as long as it says, not at all with a handle, and no longer than its node', async () => {
  const waits: number[] = [];
  let ended = 0;
  const { made } = preparation({
    verdict: { do: 'ask', decidedBy: 'people' },
    require: (ask) => {
      waits.push(ask.waitMs);
      return new Promise((resolve) =>
        ask.onDisconnect(() => {
          ended++;
          resolve({ free: true });
        }),
      );
    },
  });
  const prefers = [{ respondAsync: false, waitMs: 5_000 }, { respondAsync: true, waitMs: 5_000 }, undefined];
  const waiting = prefers.map((prefer) => {
    const request = requestOf({ prefer });
    return made.prepare(request, callOf(), made.needsOf(request, callOf()), OBSERVED);
  });
  await expect.poll(() => waits).toEqual([5_000, 0, 0]);
  made.stopWaiting();
  await Promise.all(waiting);
  expect(ended).toBe(3);
});

test('a call that no rule asks about any more joins the run of the one that a person approved', async () => {
  const run: Approved = {
    run: { id: 'inv_1', isAlone: true, idempotencyKey: 'approval/apr_1', actionVersion: 'v', maxPayment: 0n, delivered: () => {} },
  };
  const { made, steps } = preparation({ settled: { run } });
  const request = requestOf();
  const prepared = await made.prepare(request, callOf(), made.needsOf(request, callOf()), OBSERVED);
  expect(prepared.approved).toBe(run);
  expect(steps).toEqual(['connection', 'settle']);
});

test('a call of a key that never asked looks for no approval', () => {
  const { made } = preparation({});
  expect(made.needsOf(requestOf(), callOf()).mayHaveAsked).toBe(false);
});

test('an approved call that waited for its toolkit runs under the rule that was approved, or under none', () => {
  const rule: Rule = { match: { action: 'bank__send' }, do: 'ask', decidedBy: 'app' };
  const request = requestOf({ approvalId: 'apr_1', approvedRule: { decidedBy: 'app', rule } });
  const now = (verdict: Verdict) => () => preparation({ verdict }).made.needsOf(request, callOf());
  expect(now({ do: 'ask', decidedBy: 'app', rule: structuredClone(rule) })().approval).toBeUndefined();
  expect(now({ do: 'allow' })().approval).toBeUndefined();
  const refused = expect.objectContaining({ code: 'ACTION_NOT_ALLOWED' });
  expect(now({ do: 'ask', decidedBy: 'people', rule })).toThrow(refused);
  expect(now({ do: 'ask', decidedBy: 'app', rule: { ...rule, match: {} } })).toThrow(refused);
  expect(now({ do: 'deny' })).toThrow(refused);
});

test('a call that waits for a person is recorded once, with the question that it made', async () => {
  const approval = { id: 'apr_1', status: 'pending', decidedBy: 'people', expiresAt: '2026-12-01T00:00:00.000Z' } as const;
  let isNew = true;
  const { made, steps } = preparation({
    verdict: { do: 'ask', decidedBy: 'people' },
    require: () => Promise.reject(new SvcError('APPROVAL_REQUIRED', 'Wait', { approval: { ...approval, ...(isNew && { isNew }) } })),
  });
  const request = requestOf();
  const asking = () => made.prepare(request, callOf(), made.needsOf(request, callOf()), OBSERVED);
  await expect(asking()).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
  isNew = false;
  await expect(asking()).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
  expect(steps.filter((step) => step === 'APPROVAL_REQUIRED')).toHaveLength(1);
});
