import { createServer, type IncomingHttpHeaders } from 'node:http';
import { expect, test, vi } from 'vitest';
import type { ApprovalInfo } from '#sdk/protocol/approvals';
import { listening } from '../../../../test/support/listening';
import { isSigned, signatureHeaders } from '../../../src/lib/webhook-signature';
import { approvalStage, refusal } from './approvals-stage';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  json: { type: string; url?: string; approval: ApprovalInfo };
}

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

/** A receiver that answers each message as `answer` says. */
async function startReceiver(answer: (message: Received) => Answer | Promise<Answer>) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const message = { headers: request.headers, body, json: JSON.parse(body) };
    received.push(message);
    const { status = 200, headers = {}, body: text = '' } = await answer(message);
    response.writeHead(status, headers).end(text);
  });
  return { url: `${await listening(server)}/hook`, received };
}

/** An answer that decides, signed as a message with this id. */
function signed(secret: string, id: string, decision: object, { sentAt = Math.floor(Date.now() / 1_000) } = {}): Answer {
  const body = JSON.stringify(decision);
  return { headers: signatureHeaders(keyOf(secret), { id, body, sentAt }), body };
}

const keyOf = (secret: string) => Buffer.from(secret.replace('whsec_', ''), 'base64');
const idOf = ({ headers }: Received) => String(headers['webhook-id']);

async function stageWithHook(answer: (message: Received, secret: string) => Answer | Promise<Answer>) {
  let secret = '';
  const receiver = await startReceiver((message) => answer(message, secret));
  const stage = await approvalStage();
  ({ secret } = await stage.approvalWebhook.set(receiver.url));
  return { ...stage, ...receiver, secret };
}

test('a question is sent signed with its whole payload, and a signed answer decides', async () => {
  const approve = { decision: 'approve', reason: 'fine' };
  const { approvals, approvalJobs, ask, store, received, secret, world } = await stageWithHook((message, key) =>
    message.json.type === 'approval.requested' ? signed(key, idOf(message), approve) : {},
  );
  await refusal(approvals.require(ask()));
  await approvalJobs.run();
  await expect.poll(() => world.runs.started.size).toBe(1);
  const [requested] = received as [Received];
  const { id } = requested.json.approval;
  expect(requested.json).toEqual({
    type: 'approval.requested',
    url: `https://svc.example/approvals/${id}`,
    approval: expect.objectContaining({ id, status: 'pending', payload: { item: 'secret-canary', count: 2 }, user: 'u_1' }),
  });
  const message = { id: idOf(requested), body: requested.body, headers: new Headers(requested.headers as Record<string, string>) };
  expect(isSigned(keyOf(secret), { ...message, now: Date.now() })).toBe(true);
  expect(await store.approvals.find(id)).toMatchObject({ decidedByName: expect.stringMatching(/^127\.0\.0\.1:/), reason: 'fine' });

  await vi.waitFor(async () => {
    await approvalJobs.run();
    expect(received).toHaveLength(2);
  });
  expect(received[1]?.json).toMatchObject({ type: 'approval.decided', approval: { id, status: 'used' } });
  expect(received[1]?.body).not.toContain('canary');
  await vi.waitFor(async () => expect(await store.approvals.find(id)).toMatchObject({ told: 'decided', tellAt: null }));
});

const OTHER_SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;
const APPROVE = { decision: 'approve' };
test.each<[string, (message: Received, secret: string) => Answer]>([
  ['without a signature', () => ({ body: JSON.stringify(APPROVE) })],
  ['of another secret', (message) => signed(OTHER_SECRET, idOf(message), APPROVE)],
  ['for another message', (_, secret) => signed(secret, 'apr_other.requested', APPROVE)],
  ['of an hour ago', (message, secret) => signed(secret, idOf(message), APPROVE, { sentAt: Date.now() / 1_000 - 3_600 })],
  ['of the next hour', (message, secret) => signed(secret, idOf(message), APPROVE, { sentAt: Date.now() / 1_000 + 3_600 })],
  ['with a changed body', (message, secret) => ({ ...signed(secret, idOf(message), { decision: 'deny' }), body: JSON.stringify(APPROVE) })],
  ['with an unknown member', (message, secret) => signed(secret, idOf(message), { ...APPROVE, force: true })],
  ['that is the message itself', ({ headers, body }) => ({ headers: pick(headers), body })],
  ['that is no JSON', (message, secret) => ({ ...signed(secret, idOf(message), APPROVE), body: 'approve' })],
])('an answer %s decides nothing', async (_, answer) => {
  const { approvals, approvalJobs, ask, store, pending, world, received } = await stageWithHook(answer);
  await refusal(approvals.require(ask()));
  const { id } = await pending();
  await approvalJobs.run();
  await vi.waitFor(async () => expect(await store.approvals.find(id)).toMatchObject({ told: 'requested' }));
  expect(received).toHaveLength(1);
  await approvalJobs.run();
  expect(await store.approvals.find(id)).toMatchObject({ status: 'pending' });
  expect(world.runs.started.size).toBe(0);
});

const pick = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]));

test('an answer after the decision of a person has no effect', async () => {
  let decide = async (): Promise<unknown> => undefined;
  const { approvals, approvalJobs, ask, store, pending, world, received, ...stage } = await stageWithHook(async (message, secret) => {
    if (message.json.type === 'approval.decided') return {};
    await decide();
    return signed(secret, idOf(message), APPROVE);
  });
  decide = () => stage.decide('deny');
  await refusal(approvals.require(ask()));
  const { id } = await pending();
  await vi.waitFor(async () => {
    await approvalJobs.run();
    expect(await store.approvals.find(id)).toMatchObject({ status: 'denied', told: 'decided' });
  });
  expect(received.map(({ json }) => [json.type, json.approval.status])).toEqual([
    ['approval.requested', 'pending'],
    ['approval.decided', 'denied'],
  ]);
  expect(world.runs.started.size).toBe(0);
});

test('a message that fails is sent again later, with the same id', async () => {
  let tries = 0;
  const { approvals, approvalJobs, ask, store, pending, received } = await stageWithHook(() => ({ status: ++tries === 1 ? 503 : 204 }));
  await refusal(approvals.require(ask()));
  const { id } = await pending();
  await approvalJobs.run();
  await vi.waitFor(async () => expect((await store.approvals.find(id))?.tellTries).toBe(1));
  await vi.waitFor(async () => {
    await approvalJobs.run();
    expect(await store.approvals.find(id)).toMatchObject({ told: 'requested', tellAt: null });
  });
  expect(new Set(received.map(idOf)).size).toBe(1);
  expect(received).toHaveLength(2);
});

test('the webhook is an https address, or a host that the operator allows, and its secret is stored sealed', async () => {
  const { approvalWebhook, store } = await approvalStage();
  for (const url of ['http://approve.example/', 'https://ada:pw@approve.example/', 'ftp://approve.example/', 'approve'])
    expect(await refusal(approvalWebhook.set(url))).toMatchObject({ code: 'INVALID_REQUEST' });
  const { secret } = await approvalWebhook.set('https://approve.example/hook');
  expect(secret).toMatch(/^whsec_/);
  expect(JSON.stringify(await store.settings.all())).not.toContain(secret.slice('whsec_'.length));
  expect(await approvalWebhook.url()).toBe('https://approve.example/hook');
  await approvalWebhook.remove();
  expect(await approvalWebhook.url()).toBeUndefined();
});
