import { expect, onTestFinished, test, vi } from 'vitest';
import { SvcError } from '#sdk/protocol/errors';
import { ADA, approvalStage, refusal } from './approvals-stage';

const RUN = { run: { idempotencyKey: expect.stringMatching(/^approval\/apr_/), id: expect.stringMatching(/^inv_/), maxPayment: 0n } };

/** Moves the clock. */
function later(ms: number): void {
  vi.useFakeTimers({ now: Date.now() + ms, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

const AWAY = new SvcError('SERVICE_UNAVAILABLE', 'The database is away');

test('no error says that nothing ran once a question is stored, or its call approved', async () => {
  const { approvals, ask, pending, decide, store, world } = await approvalStage();
  const find = vi.spyOn(store.approvals, 'find').mockRejectedValueOnce(AWAY);
  const asked = await refusal(approvals.require(ask()));
  expect(asked).toMatchObject({ code: 'INVOCATION_TIMEOUT', retryable: true, cause: { cause: AWAY } });
  expect(asked.message).toContain('It may have the question about this call');
  await pending();

  await decide('approve');
  world.runs.started.clear();
  find.mockRejectedValueOnce(AWAY);
  const approved = await refusal(approvals.require(ask()));
  expect(approved).toMatchObject({ code: 'INVOCATION_TIMEOUT', retryable: true, cause: AWAY });
  expect(approved.message).toContain('A person approved this call');
});

test('a caller that waits gets the decision of a person although the store was away, or does not answer', async () => {
  const { approvals, ask, pending, decide, store } = await approvalStage();
  const find = vi.spyOn(store.approvals, 'find');
  const waiting = approvals.require(ask({ waitMs: 60_000 }));
  await expect.poll(pending).toBeTruthy();
  find.mockRejectedValueOnce(AWAY);
  await decide('approve');
  expect(await waiting).toMatchObject(RUN);

  const patient = refusal(approvals.require(ask({ requestHash: 'another', waitMs: 100 })));
  await expect.poll(pending).toBeTruthy();
  find.mockReturnValue(new Promise(() => {}));
  expect(await patient).toMatchObject({ code: 'APPROVAL_REQUIRED', details: { approval: { status: 'pending' } } });
});

test('a call that a rule asks about is refused with its question, and equal calls share it', async () => {
  const { approvals, ask, pending, world } = await approvalStage();
  const first = await refusal(approvals.require(ask()));
  const { id } = await pending();
  expect(first).toMatchObject({
    code: 'APPROVAL_REQUIRED',
    details: { approval: { id, status: 'pending', decidedBy: 'people', isNew: true, url: `https://svc.example/approvals/${id}` } },
  });
  expect(first.message).not.toContain('canary');
  const second = await refusal(approvals.require(ask()));
  expect(second.details.approval).toEqual({ ...first.details.approval, isNew: undefined });
  expect(world.changes).toBe(1);
});

test('fifty equal calls make one question, of which one is new', async () => {
  const { approvals, ask, pending } = await approvalStage();
  const refused = await Promise.all(Array.from({ length: 50 }, () => refusal(approvals.require(ask()))));
  await pending();
  expect(refused.filter(({ details }) => details.approval?.isNew)).toHaveLength(1);
  expect(new Set(refused.map(({ details }) => details.approval?.id)).size).toBe(1);
});

test('callers who wait get the run as soon as a person approves, and it starts once', async () => {
  const { approvals, ask, pending, decide, world, store } = await approvalStage();
  const waiting = Array.from({ length: 3 }, () => approvals.require(ask({ waitMs: 60_000 })));
  await expect.poll(pending).toBeTruthy();
  const id = await decide('approve');
  const [run] = [...world.runs.started.values()];
  expect(await Promise.all(waiting)).toMatchObject([RUN, RUN, RUN]);
  expect(run).toMatchObject({ actionId: 'shop__buy', payloadJson: '{"item":"secret-canary","count":2}', approvalId: id, maxPayment: 0n });
  expect(world.runs.started.size).toBe(1);
  expect(await store.approvals.find(id)).toMatchObject({ status: 'used', decidedByName: 'Ada', invocationId: run!.id });
});

test('the outcome goes to those that asked and to one more equal call, then a call asks anew', async () => {
  const { approvals, ask, decide, world, store } = await approvalStage();
  await refusal(approvals.require(ask({ idempotencyKey: 'k1' })));
  const id = await decide('approve');
  world.runs.end();
  expect(await approvals.require(ask())).toMatchObject(RUN);
  expect(await approvals.require(ask({ idempotencyKey: 'k1' }))).toMatchObject(RUN);
  expect(await store.approvals.find(id)).toMatchObject({ taken: true, payload: null, endedAt: expect.any(Number) });
  expect((await refusal(approvals.require(ask({ idempotencyKey: 'k2' })))).details.approval).toMatchObject({ isNew: true });
  expect(await approvals.require(ask({ idempotencyKey: 'k1' }))).toMatchObject(RUN);
});

test('a caller that got the result leaves none for another equal call', async () => {
  const { approvals, ask, decide, world } = await approvalStage();
  await refusal(approvals.require(ask({ idempotencyKey: 'k1' })));
  const id = await decide('approve');
  const approved = await approvals.require(ask({ idempotencyKey: 'k1' }));
  if ('run' in approved) approved.run.delivered();
  world.runs.end();
  const other = await refusal(approvals.require(ask({ idempotencyKey: 'k2' })));
  expect(other.details.approval?.id).not.toBe(id);
});

test('while it runs, every equal call joins the run', async () => {
  const { approvals, ask, decide } = await approvalStage();
  await refusal(approvals.require(ask()));
  await decide('approve');
  expect(await approvals.require(ask({ idempotencyKey: 'k1' }))).toMatchObject(RUN);
  expect(await approvals.require(ask({ idempotencyKey: 'k2' }))).toMatchObject(RUN);
});

test('a run that did not run withdraws its approval, and one that failed gives its error once', async () => {
  const { approvals, ask, decide, world, store } = await approvalStage();
  await refusal(approvals.require(ask()));
  const first = await decide('approve');
  world.runs.end(new SvcError('ACTION_CHANGED', 'The action has changed'));
  expect((await refusal(approvals.require(ask()))).details.approval).toMatchObject({ isNew: true });
  expect(await store.approvals.find(first)).toMatchObject({ status: 'withdrawn', reason: 'The action has changed' });

  const second = await decide('approve');
  world.runs.end(new SvcError('INVOCATION_TIMEOUT', 'No process had room', { retryable: true }));
  expect((await refusal(approvals.require(ask()))).details.approval).toMatchObject({ isNew: true });
  expect(await store.approvals.find(second)).toMatchObject({ status: 'withdrawn', reason: 'No process had room' });

  await decide('approve');
  world.runs.end(new SvcError('INVOCATION_TIMEOUT', 'too long'));
  expect(await refusal(approvals.require(ask()))).toMatchObject({ code: 'INVOCATION_TIMEOUT' });
  expect(await refusal(approvals.require(ask()))).toMatchObject({ code: 'APPROVAL_REQUIRED' });
});

test('a denied call is refused with the reason for ten minutes, and its waiting callers at once', async () => {
  const { approvals, ask, pending, decide, world } = await approvalStage();
  const waiting = refusal(approvals.require(ask({ waitMs: 60_000 })));
  await expect.poll(pending).toBeTruthy();
  await decide('deny', { reason: 'too dear' });
  for (const refused of [await waiting, await refusal(approvals.require(ask()))]) {
    expect(refused).toMatchObject({ code: 'APPROVAL_DENIED', details: { approval: { status: 'denied', reason: 'too dear' } } });
    expect(refused.message).toContain('too dear');
  }
  expect(world.runs.started.size).toBe(0);
  later(600_001);
  expect(await refusal(approvals.require(ask()))).toMatchObject({ code: 'APPROVAL_REQUIRED', details: { approval: { isNew: true } } });
});

test('a question expires: a late decision has no effect, and the same call asks anew', async () => {
  const { approvals, decisions, ask, pending } = await approvalStage({ approvalsPerKey: 100, approvalMs: 30 });
  await refusal(approvals.require(ask()));
  const record = await pending();
  const waiting = await refusal(approvals.require(ask({ waitMs: 60_000 })));
  expect(waiting).toMatchObject({ code: 'APPROVAL_DENIED', details: { approval: { status: 'expired' } } });
  const late = await refusal(decisions.decide(record, { decision: 'approve' }, ADA));
  expect(late).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('expired') });
  expect((await refusal(approvals.require(ask()))).details.approval).toMatchObject({ isNew: true });
});

const OTHER_RULE = { match: { action: 'shop__*' }, do: 'ask' } as const;
test.each([
  ['another version', { actionVersion: 'v2' }],
  ['a price', { hold: { amount: 5n, currency: 'EUR' } }],
  ['another account', { connection: 'con_2 hubot' }],
  ['another rule', { rule: OTHER_RULE }],
  ['another decider', { decidedBy: 'app' as const }],
])('a call with %s asks anew, and its former question is withdrawn', async (_, change) => {
  const { approvals, ask, pending, store } = await approvalStage();
  await refusal(approvals.require(ask()));
  const { id } = await pending();
  expect((await refusal(approvals.require(ask(change)))).details.approval).toMatchObject({ isNew: true });
  expect(await store.approvals.find(id)).toMatchObject({ status: 'withdrawn' });
  expect((await pending()).id).not.toBe(id);
});

test('a lower price needs no new question', async () => {
  const { approvals, ask, pending } = await approvalStage();
  const first = await refusal(approvals.require(ask({ hold: { amount: 5n, currency: 'EUR' } })));
  await refusal(approvals.require(ask({ hold: { amount: 4n, currency: 'EUR' } })));
  expect((await pending()).id).toBe(first.details.approval?.id);
});

test('a key has at most so many questions', async () => {
  const { approvals, ask } = await approvalStage({ approvalsPerKey: 2, approvalMs: 60_000 });
  const codes: string[] = [];
  for (const requestHash of ['1', '2', '3', '1']) codes.push((await refusal(approvals.require(ask({ requestHash })))).code);
  expect(codes).toEqual(['APPROVAL_REQUIRED', 'APPROVAL_REQUIRED', 'RATE_LIMITED', 'APPROVAL_REQUIRED']);
});

test('a drain and a disconnection end the wait at once, and the question stays', async () => {
  const { approvals, ask, pending } = await approvalStage();
  let leave = () => {};
  const left = refusal(approvals.require(ask({ waitMs: 60_000, onDisconnect: (listener) => (leave = listener) })));
  await expect.poll(pending).toBeTruthy();
  leave();
  expect(await left).toMatchObject({ code: 'APPROVAL_REQUIRED' });
  const drained = refusal(approvals.require(ask({ waitMs: 60_000 })));
  approvals.drain();
  expect(await drained).toMatchObject({ code: 'APPROVAL_REQUIRED', details: { approval: { status: 'pending' } } });
  expect(await refusal(approvals.require(ask({ waitMs: 60_000 })))).toMatchObject({ code: 'APPROVAL_REQUIRED' });
  await pending();
});

test('approved for its session, later calls of the action are free, and no others', async () => {
  const { approvals, decisions, ask, decide, store } = await approvalStage();
  await refusal(approvals.require(ask()));
  const id = await decide('approve', { sessionSeconds: 60 });
  const later = { requestHash: '2', payload: { item: 'other' } };
  expect(await approvals.require(ask(later))).toEqual({ free: true });
  const inOther = (sessionId: string | undefined) => ({ ...later, callerIds: { sessionId, userId: 'u_1' } });
  for (const change of [
    inOther('other'),
    inOther(undefined),
    { ...later, userId: 'u_2' },
    { ...later, actionVersion: 'v2' },
    { ...later, hold: { amount: 1n, currency: 'EUR' } },
    { ...later, rule: OTHER_RULE },
    { ...later, connection: 'con_2 hubot' },
  ])
    expect(await refusal(approvals.require(ask(change)))).toMatchObject({ code: 'APPROVAL_REQUIRED' });
  await decisions.endSession((await store.approvals.find(id))!, ADA);
  expect(await refusal(approvals.require(ask(later)))).toMatchObject({ code: 'APPROVAL_REQUIRED' });
});

test('sessionSeconds needs a session and the decision to approve', async () => {
  const { approvals, ask, decide } = await approvalStage();
  await refusal(approvals.require(ask({ callerIds: undefined })));
  expect(await refusal(decide('approve', { sessionSeconds: 60 }))).toMatchObject({ code: 'INVALID_REQUEST' });
  expect(await refusal(decide('deny', { sessionSeconds: 60 }))).toMatchObject({ code: 'INVALID_REQUEST' });
});

test('the first decision counts, and a second one reads it', async () => {
  const { approvals, decisions, ask, pending, world } = await approvalStage();
  await refusal(approvals.require(ask()));
  const record = await pending();
  const both = await Promise.allSettled(
    (['deny', 'approve', 'deny', 'approve'] as const).map((decision) => decisions.decide(record, { decision }, ADA)),
  );
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(world.runs.started.size).toBe(both.findIndex(({ status }) => status === 'fulfilled') % 2);
  const again = await refusal(decisions.decide(record, { decision: 'approve' }, ADA));
  expect(again).toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(/was (denied|approved) by Ada at 20/) });
});

test('a call that has changed since its question is withdrawn when a person approves it', async () => {
  for (const change of ['key', 'rule', 'denied', 'action', 'gone'] as const) {
    const { approvals, ask, decide, world, keys, key, store } = await approvalStage();
    await refusal(approvals.require(ask()));
    if (change === 'key') await keys.revoke(key.id);
    if (change === 'rule') world.verdict = { do: 'ask', decidedBy: 'people', rule: OTHER_RULE };
    if (change === 'denied') world.verdict = { do: 'deny' };
    if (change === 'action') world.action = { ...world.action!, annotations: { destructive: true } };
    if (change === 'gone') world.action = undefined;
    expect(await refusal(decide('approve'))).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('withdrawn') });
    expect(await store.approvals.list({ statuses: ['withdrawn'], limit: 10 })).toHaveLength(1);
    expect(world.runs.started.size).toBe(0);
  }
});

test('a rule that is gone does not hold up an approved call', async () => {
  const { approvals, ask, decide, world } = await approvalStage();
  await refusal(approvals.require(ask()));
  world.verdict = { do: 'allow' };
  await decide('approve');
  expect(world.runs.started.size).toBe(1);
});

test('a call that needs its caller runs with the next equal call, and not alone', async () => {
  const { approvals, ask, decide, world, store } = await approvalStage();
  const asked = { connection: 'caller', idempotencyKey: 'k1' };
  await refusal(approvals.require(ask(asked)));
  const id = await decide('approve');
  expect(world.runs.started.size).toBe(0);
  expect(await approvals.require(ask(asked))).toMatchObject({ run: { idempotencyKey: `approval/${id}` } });
  expect(await approvals.require(ask(asked))).toMatchObject({ run: { idempotencyKey: `approval/${id}` } });
  expect(await store.approvals.find(id)).toMatchObject({ status: 'used', payload: null });
  expect(await refusal(approvals.require(ask({ ...asked, idempotencyKey: 'k2' })))).toMatchObject({ code: 'APPROVAL_REQUIRED' });
});

test('the audit names action, key and hash, and never the payload', async () => {
  const { approvals, ask, decide, store, key } = await approvalStage();
  await refusal(approvals.require(ask()));
  const id = await decide('approve');
  const [entry] = await store.audit.list({ limit: 10 });
  expect(entry).toMatchObject({ what: 'approval.approve', subject: id, actor: ADA, details: { action: 'shop__buy', key: key.id } });
  expect(JSON.stringify(entry)).not.toContain('canary');
});

test('by its handle, a call is followed from the question to its result, by its key and user alone', async () => {
  const { approvals, ask, pending, decide, world, key } = await approvalStage();
  const token = (userId: string) => ({ keyId: key.id, keyHash: key.hash, expiresAt: 0, allow: null, userId });
  const page = { ...key, token: token('u_7') };
  await refusal(approvals.require(ask({ key: page })));
  const { id } = await pending();
  const follow = (as: typeof page | typeof key, waitMs = 0) => approvals.follow(id, as, { waitMs, onDisconnect() {} });
  for (const stranger of [
    { ...key, id: 'key_other' },
    { ...key, token: token('u_8') },
  ])
    expect(await refusal(follow(stranger))).toMatchObject({ code: 'NOT_FOUND' });
  expect(await follow(page)).toMatchObject({ status: 202, json: expect.stringContaining('"status":"waiting"') });
  const waiting = follow(key, 60_000);
  await decide('approve');
  expect(await waiting).toMatchObject({ status: 202, json: expect.stringContaining('"status":"running"') });
  world.runs.end();
  expect(await follow(page)).toEqual({ status: 200, json: '{"result":1}' });
});

test('the job withdraws, starts and ends what no request does', async () => {
  const { approvals, approvalJobs, ask, decide, pending, world, store, keys, key } = await approvalStage();
  await refusal(approvals.require(ask()));
  const tooMany = vi.spyOn(world.runs, 'start').mockRejectedValue(new SvcError('RATE_LIMITED', 'too many'));
  const id = await decide('approve');
  expect(await store.approvals.find(id)).toMatchObject({ status: 'approved' });
  tooMany.mockRestore();
  await approvalJobs.run();
  expect(await store.approvals.find(id)).toMatchObject({ status: 'used', endedAt: null });
  world.runs.end();
  await approvalJobs.run();
  expect(await store.approvals.find(id)).toMatchObject({ status: 'used', endedAt: expect.any(Number), payload: null });

  await refusal(approvals.require(ask({ requestHash: 'changed' })));
  const changed = await pending();
  world.action = { ...world.action!, annotations: { destructive: true } };
  later(4_000);
  await approvalJobs.run();
  expect(await store.approvals.find(changed.id)).toMatchObject({ status: 'withdrawn', reason: 'the action has changed' });

  await refusal(approvals.require(ask({ requestHash: 'revoked' })));
  const revoked = await pending();
  await keys.revoke(key.id);
  await approvalJobs.run();
  expect(await store.approvals.find(revoked.id)).toMatchObject({ status: 'withdrawn' });
});

test('when no rule asks any more, retries of an approved call join its run, and a later equal call runs anew', async () => {
  const { approvals, ask, decide, world, key } = await approvalStage();
  expect(approvals.hasAsked(key.id)).toBe(false);
  await refusal(approvals.require(ask({ idempotencyKey: 'k1' })));
  expect(approvals.hasAsked(key.id)).toBe(true);
  await decide('approve');
  const free = (idempotencyKey: string) => ask({ idempotencyKey, rule: undefined });
  expect(await approvals.settle(free('k1'))).toMatchObject(RUN);
  world.runs.end();
  expect(await approvals.settle(free('k2'))).toMatchObject(RUN);
  expect(await approvals.settle(free('k1'))).toMatchObject(RUN);
  expect(await approvals.settle(free('k3'))).toBeUndefined();
  expect(world.runs.started.size).toBe(1);
});

test('a call that runs because no rule asks any more withdraws its question', async () => {
  const { approvals, ask, pending, decisions, store, world } = await approvalStage();
  await refusal(approvals.require(ask({ idempotencyKey: 'k1' })));
  const record = await pending();
  expect(await approvals.settle(ask({ idempotencyKey: 'k1' }))).toBeUndefined();
  expect(await store.approvals.find(record.id)).toMatchObject({ status: 'withdrawn' });
  await expect(decisions.decide(record, { decision: 'approve' }, ADA)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(world.runs.started.size).toBe(0);
});

test('the keys that have asked are known after a restart, and until their approvals are removed', async () => {
  const { approvals, ask, store, key } = await approvalStage();
  await refusal(approvals.require(ask()));
  await approvals.refreshKeys();
  await approvals.refreshKeys();
  expect(approvals.hasAsked(key.id)).toBe(true);
  expect(await store.approvals.agentKeyIds()).toEqual([key.id]);
});
