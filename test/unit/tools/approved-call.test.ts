/** Calls that the application's user has approved, against scripted answers. With a real service they are in test/contract. */
import type { CallToolOptions } from 'svc-sdk';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, sendResult, wireServer } from './wire-server';

const INPUT = { action: 'box__erase', payload: { name: 'a' } };
const ASK = { destructive: true, above: '0.50' };

/** A service with one question, which it refuses calls with until it is approved. */
async function startAsking({ isNew, decidedBy = 'app', isDecided }: { isNew?: true; decidedBy?: string; isDecided?: true } = {}) {
  const approval = { id: 'apr_1', status: 'pending', decidedBy, expiresAt: '2026-12-01T00:00:00Z', ...(isNew && { isNew }) };
  let isOpen = false;
  const service = await wireServer((response, { path }) => {
    if (path === '/v1/invoke' && !isOpen) return sendProblem(response, 'APPROVAL_REQUIRED', 'A person decides', { approval } as object);
    if (path === '/v1/invoke') return sendResult(response, 'erased');
    isOpen = true;
    if (isDecided) return sendProblem(response, 'CONFLICT', 'It was approved', {});
    sendJson(response, { ...approval, status: 'approved' });
  });
  const answer = (isApproved?: CallToolOptions['isApproved']) =>
    service.tools().answerTool('invoke_service', INPUT, { ask: ASK, isApproved });
  return { answer, requests: service.requests };
}

test('an approved call decides its question, and is made again under the same idempotency key', async () => {
  const { answer, requests } = await startAsking();
  expect(await answer(() => true)).toMatchObject({ value: 'erased' });
  expect(requests.map(({ path }) => path)).toEqual(['/v1/invoke', '/v1/approvals/apr_1', '/v1/invoke']);
  const [first, decision, second] = requests;
  expect(decision?.body).toEqual({ decision: 'approve' });
  expect([first?.headers['svc-ask'], second?.headers['svc-ask']]).toEqual(Array(2).fill('destructive, above=0.50'));
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
});

test('a question that another call has decided meanwhile does not fail', async () => {
  const { answer } = await startAsking({ isDecided: true });
  expect(await answer(() => true)).toMatchObject({ value: 'erased' });
});

test.each<[string, Parameters<typeof startAsking>[0], CallToolOptions['isApproved']]>([
  ['that no user has seen', { isNew: true }, ({ isNew }) => !isNew],
  ['for other people', { decidedBy: 'people' }, () => true],
  ['of a program that does not decide', {}, undefined],
])('a question %s stays open, and the model reads it', async (_what, question, isApproved) => {
  const { answer, requests } = await startAsking(question);
  expect((await answer(isApproved)).error?.code).toBe('APPROVAL_REQUIRED');
  expect(requests).toHaveLength(1);
});

test('a resolve sends the rules and the user, so that the question is that of the call', async () => {
  const service = await wireServer((response) => sendJson(response, { action: { action: 'box__erase' }, payload: {} }));
  const tools = service.tools().for({ userId: 'ada', sessionId: 's1', connectionNames: { box: 'work' } });
  await tools.resolve('invoke_service', INPUT, { ask: { always: true } });
  expect(service.requests[0]?.headers).toMatchObject({
    'svc-ask': 'always',
    'svc-user-id': 'ada',
    'svc-session-id': 's1',
    'svc-connection-names': 'box work',
  });
});
