/** Calls that a person has to approve, against scripted answers. With a real service they are in test/e2e/approvals.test.ts. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ApprovalQuestion, ToolsOptions } from '../../../src/index';
import { KEY, sendJson, sendProblem, sendResult, toolCall, type WireServer, wireServer } from './wire-server';

const APPROVAL = { id: 'apr_1', status: 'pending', decidedBy: 'app', expiresAt: '2026-12-01T00:00:00Z' } as const;
const RESOLVED = { action: { action: 'shop__refund' }, payload: { order: 7 } };
const refund = (id: string) => toolCall(id, 'invoke_service', { action: 'shop__refund', payload: { order: 7 } }) as never;

/** A service with one question, which is answered by `POST /v1/approvals/apr_1`. `onFollow` answers each look at it. */
type Follow = (count: number) => object | number | undefined | Promise<object | undefined>;

async function startAsking(onFollow?: Follow, decidedBy: 'app' | 'people' = 'app') {
  const approval = { ...APPROVAL, decidedBy };
  let isApproved = false;
  let follows = 0;
  const service = await wireServer(async (response, { path }) => {
    if (path === '/v1/resolve') return sendJson(response, RESOLVED);
    if (path === '/v1/approvals/apr_1') {
      isApproved = true;
      return sendJson(response, { ...approval, status: 'approved' });
    }
    if (path.startsWith('/v1/invocations/')) {
      const answer = await onFollow?.(++follows);
      if (typeof answer === 'number') return response.writeHead(answer, { 'content-type': 'text/html' }).end();
      if (answer) return sendJson(response, answer, 202);
      isApproved = true;
      return sendJson(response, { invocationId: 'inv_1', status: 'running' }, 202);
    }
    if (isApproved) return sendResult(response, 'refunded');
    return sendProblem(response, 'APPROVAL_REQUIRED', 'A rule asks', { approval });
  });
  return service;
}

const waiting = { invocationId: 'apr_1', status: 'waiting', approval: APPROVAL };
const pathsOf = ({ requests }: WireServer) => requests.map(({ path }) => path.replace('/v1/', ''));
const keysOf = ({ requests }: WireServer) =>
  new Set(requests.filter(({ path }) => path === '/v1/invoke').map(({ headers }) => headers['idempotency-key']));

test('equal calls side by side ask the user once, and each runs', async () => {
  const service = await startAsking();
  const asked: ApprovalQuestion[] = [];
  const tools = service.tools({
    async onApprovalRequired(question) {
      asked.push(question);
      await vi.waitFor(() => expect(pathsOf(service).filter((path) => path === 'invoke')).toHaveLength(2));
      return 'approve' as const;
    },
  });
  const messages = await tools.callTools([refund('call_0'), refund('call_1')]);
  expect(messages.map(({ content }) => content)).toEqual(['refunded', 'refunded']);
  expect(asked).toEqual([{ ...APPROVAL, action: 'shop__refund', payload: { order: 7 }, userId: undefined }]);
  expect(pathsOf(service).filter((path) => path === 'approvals/apr_1')).toHaveLength(1);
});

test('a call that waits outlives a node that goes away, and keeps its idempotency key', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const service = await startAsking((count) => [waiting, 503, 503, 503][count - 1]);
  const { result } = await service.tools({ approvals: 'wait' }).invoke('shop__refund', { order: 7 });
  expect(result).toBe('refunded');
  expect(keysOf(service).size).toBe(1);
  expect(pathsOf(service)).toEqual(['invoke', ...Array(5).fill('invocations/apr_1'), 'invoke']);
  vi.restoreAllMocks();
});

test('a look that takes longer than the pause after it: the next one follows at once, and Node warns of no timer', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const service = await startAsking(async (count) => {
    if (count > 1) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return waiting;
  });
  await service.tools({ approvals: 'wait' }).invoke('shop__refund', { order: 7 });
  expect(timers.mock.calls.filter(([, ms = 0]) => ms < 0)).toEqual([]);
});

test('an aborted call that waits leaves no request behind', async () => {
  const following = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const service = await wireServer((response, { path }) => {
    if (path === '/v1/invoke') return sendProblem(response, 'APPROVAL_REQUIRED', 'A rule asks', { approval: APPROVAL });
    response.on('close', left.resolve);
    following.resolve();
  });
  const abort = new AbortController();
  const call = service.tools({ approvals: 'wait' }).callTools([refund('call_0')], { signal: abort.signal });
  await following.promise;
  abort.abort(new Error('The user left'));
  await expect(call).rejects.toThrow('The user left');
  await left.promise;
  expect(pathsOf(service)).toEqual(['invoke', 'invocations/apr_1']);
});

test('an aborted call does not wait for its user', async () => {
  const service = await startAsking();
  const asked = Promise.withResolvers<void>();
  const tools = service.tools({
    onApprovalRequired() {
      asked.resolve();
      return new Promise<undefined>(() => {});
    },
  });
  const abort = new AbortController();
  const call = tools.invoke('shop__refund', {}, { signal: abort.signal });
  await asked.promise;
  abort.abort(new Error('The user left'));
  await expect(call).rejects.toThrow('The user left');
});

test('a function of the application that fails answers the call, and the model does not read the reason', async () => {
  const service = await startAsking();
  const reason = new Error('The inbox of ada@example.com is full');
  const tools = service.tools({ onApprovalRequired: () => Promise.reject(reason) });
  const [message] = await tools.callTools([refund('call_0')]);
  expect(JSON.parse(message?.content ?? '')).toEqual({
    error: {
      code: 'APPROVAL_REQUIRED',
      message: 'A person has to approve this call first, and the application could not ask: onApprovalRequired failed',
      retryable: false,
    },
  });
  await expect(tools.invoke('shop__refund')).rejects.toMatchObject({ cause: reason });
});

test('a service that asks anew after each approval ends after three questions', async () => {
  let questions = 0;
  const service = await wireServer((response, { path }) => {
    if (path === '/v1/resolve') return sendJson(response, RESOLVED);
    if (path !== '/v1/invoke') return sendJson(response, { id: 'apr' });
    sendProblem(response, 'APPROVAL_REQUIRED', 'A rule asks', { approval: { ...APPROVAL, id: `apr_${++questions}` } });
  });
  const onApprovalRequired = vi.fn(() => 'approve' as const);
  await expect(service.tools({ onApprovalRequired }).invoke('shop__refund')).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
  expect(onApprovalRequired).toHaveBeenCalledTimes(3);
});

test('a decision that changes nothing is not asked for twice', async () => {
  const service = await wireServer((response, { path }) => {
    if (path === '/v1/resolve') return sendJson(response, RESOLVED);
    if (path !== '/v1/invoke') return sendProblem(response, 'CONFLICT', 'ada approved it at 10:00');
    sendProblem(response, 'APPROVAL_REQUIRED', 'A rule asks', { approval: APPROVAL });
  });
  const onApprovalRequired = vi.fn(() => 'approve' as const);
  await expect(service.tools({ onApprovalRequired }).invoke('shop__refund')).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
  expect(onApprovalRequired).toHaveBeenCalledTimes(1);
});

test('a token that may not decide says so', async () => {
  const service = await wireServer((response, { path }) => {
    if (path === '/v1/resolve') return sendJson(response, RESOLVED);
    if (path !== '/v1/invoke') return sendProblem(response, 'NOT_PERMITTED', 'An agent token decides nothing');
    sendProblem(response, 'APPROVAL_REQUIRED', 'A rule asks', { approval: APPROVAL });
  });
  await expect(service.tools({ onApprovalRequired: () => 'approve' }).invoke('shop__refund')).rejects.toMatchObject({
    code: 'NOT_PERMITTED',
  });
});

test('the last question is the error when the time is over', async () => {
  const service = await startAsking(() => waiting, 'people');
  const call = service.tools({ approvals: 'wait', timeoutMs: 1_200 }).invoke('shop__refund');
  await expect(call).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED', details: { approval: { id: 'apr_1' } } });
  expect(pathsOf(service)[1]).toBe('invocations/apr_1');
});

test('a call that waits ends in time when the service does not answer', async () => {
  const following = Promise.withResolvers<void>();
  const service = await wireServer((response, { path }) => {
    if (path === '/v1/invoke') return sendProblem(response, 'APPROVAL_REQUIRED', 'A rule asks', { approval: APPROVAL });
    following.resolve();
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const ended = vi.fn<(error: unknown) => void>();
  void service.tools({ approvals: 'wait', timeoutMs: 5_000 }).invoke('shop__refund').catch(ended);
  await following.promise;
  await vi.advanceTimersByTimeAsync(6_000);
  expect(ended).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'APPROVAL_REQUIRED' }));
});

test.each<[string, object]>([
  ['approvals is "report" or "wait"', { approvals: 'ask' }],
  ['onApprovalRequired is a function', { onApprovalRequired: 'approve' }],
])('%s, or the client is refused', async (message, options) => {
  const service = await startAsking();
  expect(() => service.tools({ apiKey: KEY, ...options } as ToolsOptions)).toThrow(message);
});

test('an answer to a tool call has the handle for the program', async () => {
  const unfinished = { invocationId: 'inv_1', status: 'running', progress: { progress: 1 } };
  const service = await wireServer((response) => sendJson(response, unfinished, 202));
  const answer = await service.tools().answerTool('invoke_service', { action: 'video__render', payload: {} });
  expect(answer).toMatchObject({ unfinished, value: { status: 'running', handle: 'inv_1' } });
  expect(answer).not.toHaveProperty('error');
  expect(answer).not.toHaveProperty('result');
});

test('an event stream ends with a handle too', async () => {
  const service = await wireServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: progress\ndata: {"progress":1}\n\n');
    response.end('event: result\ndata: {"invocationId":"inv_1","status":"running"}\n\n');
  });
  const reports: unknown[] = [];
  const answer = await service.tools().answerTool('video__render', {}, { onProgress: (report) => reports.push(report) });
  expect(answer.value).toMatchObject({ status: 'running', handle: 'inv_1' });
  expect(reports).toEqual([{ progress: 1 }]);
});
