/** The caller's own accounts, from `Tools` through the service into handlers and an API that checks tokens. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { type ActionContext, type Middleware, Toolkit } from 'svc-sdk';
import { tracedFetch, tracedHandlers } from 'svc-sdk/opentelemetry';
import { expect, onTestFinished, test } from 'vitest';
import { startService, type TestService, toolCall } from '../../../test/support/service';
import { startConnectStage } from '../support/connections/connect-stage';
import { codeOn } from '../support/connections/page-browser';

const TOKENS: Record<string, string> = { ada: 'tok-canary-ada', bob: 'tok-canary-bob' };
const findToken = (_toolkit: string, userId = '') => (TOKENS[userId] === undefined ? undefined : { bearer: TOKENS[userId] });

/** The API behind the toolkit: it says whose token it got. */
async function startApi(): Promise<string> {
  const server = createServer(({ headers }, response) => {
    const user = Object.keys(TOKENS).find((name) => headers.authorization === `Bearer ${TOKENS[name]}`);
    response.writeHead(user ? 200 : 401).end(JSON.stringify({ user }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/me`;
}

async function startGithub(service: TestService, middleware?: Middleware): Promise<Toolkit> {
  const api = await startApi();
  const me = async ({ connection }: ActionContext) => fetch(api, { headers: { ...connection?.headers() } });
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'github' });
  const toolkit = new Toolkit({ baseUrl: service.url, apiKey: key, middleware });
  await toolkit.updateToolkit({ auth: { type: 'bearer', from: 'caller', help: 'A GitHub token' } });
  toolkit.action({ action: 'me', actionDescription: 'Says whose account it is' }, async (ctx) => {
    let answer = await me(ctx);
    if (answer.status === 401) {
      await ctx.connection?.refused();
      answer = await me(ctx);
    }
    return answer.json();
  });
  toolkit.action({ action: 'fail', actionDescription: 'Fails' }, ({ connection }) => {
    throw new Error(`The API does not know ${connection?.token}`);
  });
  toolkit.action({ action: 'ping', actionDescription: 'Needs no account', auth: false }, ({ connection }) => connection === undefined);
  toolkit.run().catch(() => {});
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  await toolkit.ready;
  return toolkit;
}

test('one app acts for two users, each with their own account, and a call without an account says what to bring', async () => {
  const service = await startService();
  await startGithub(service);
  const tools = await service.tools({ userId: 'ada', connections: findToken });
  const [ada, bob] = await Promise.all([tools.invoke('github__me'), tools.for({ userId: 'bob' }).invoke('github__me')]);
  expect([ada.result, bob.result]).toEqual([{ user: 'ada' }, { user: 'bob' }]);
  expect((await tools.invoke('github__me', {}, { userId: 'bob' })).result).toEqual({ user: 'bob' });

  const required = { code: 'CONNECTION_REQUIRED', connect: { toolkit: 'github', help: 'A GitHub token' } };
  const carol = tools.for({ userId: 'carol' });
  const [message] = await carol.callTools([toolCall('github__me', {})]);
  expect(JSON.parse(message?.content ?? '')).toEqual({ error: expect.objectContaining(required) });
  expect((await carol.invoke('github__ping')).result).toBe(true);
});

test('a token that the API refuses ends the call as CONNECTION_REQUIRED, and the same key runs with another token', async () => {
  const service = await startService();
  await startGithub(service);
  const tools = await service.tools({ userId: 'ada' });
  const call = (bearer: string) => tools.invoke('github__me', {}, { connection: { bearer }, idempotencyKey: 'order-1' });
  await expect(call('tok-canary-old')).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED', details: { connect: { toolkit: 'github' } } });
  expect(await call(TOKENS.ada as string)).toMatchObject({ result: { user: 'ada' } });
});

test('a user connects an account on the page while the call waits, and the model reads no link', async () => {
  const stage = await startConnectStage();
  const tools = await stage.service.tools({ userId: 'u_81' });
  const browser = stage.browser();
  const connect = async (url: string, token: string) => codeOn(await browser.submit(await browser.open(url), { token }));

  const asked: { url: string; userId: string | undefined }[] = [];
  const waiting = tools.for({
    async onConnectionRequired(required) {
      asked.push(required);
      await tools.confirmConnection({ code: await connect(required.url, 'gho_first') });
      return true;
    },
  });
  const answers = await waiting.callTools([toolCall('github__star', {}), toolCall('github__star', { again: true })]);
  expect(answers.map(({ content }) => JSON.parse(Buffer.from(content, 'base64').toString()).token)).toEqual(['gho_first', 'gho_first']);
  expect(asked).toEqual([expect.objectContaining({ toolkit: 'github', userId: 'u_81', confirm: true })]);

  const [told] = await tools.for({ userId: 'u_82', onConnectionRequired: () => {} }).callTools([toolCall('github__star', {})]);
  expect(told?.content).toContain('The user was asked to connect an account of');
  expect(told?.content).not.toContain('http');

  const { url } = await tools.connectUrl({ userId: 'u_83', toolkits: ['github'] });
  const code = await connect(url, 'gho_third');
  expect(await tools.confirmConnection({ code, userId: 'u_83' })).toEqual({ toolkit: 'github', name: 'default' });
  expect((await tools.invoke('github__star', {}, { userId: 'u_83' })).invocationId).toMatch(/^inv_/);
  await expect(tools.confirmConnection({ code, userId: 'u_83' })).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('middleware sees the connection; spans, errors and answers do not have its secret', async () => {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(() => {
    trace.disable();
    context.disable();
  });
  const seen: unknown[] = [];
  const traced = tracedHandlers();
  const service = await startService({ tracing: true });
  await startGithub(service, (ctx, next) => {
    seen.push(ctx.connection?.token, `${ctx.connection}`, inspect(ctx));
    return traced(ctx, next);
  });
  const tools = await service.tools({ userId: 'ada', connections: findToken, fetch: tracedFetch() });
  const errors: unknown[] = [];
  await trace.getTracer('app').startActiveSpan('agent', async (span) => {
    await tools.invoke('github__me');
    errors.push(await tools.invoke('github__fail').catch((error: unknown) => error));
    errors.push(await tools.callTools([toolCall('github__fail', {})]));
    span.end();
  });
  expect(seen.slice(0, 2)).toEqual([TOKENS.ada, '[connection]']);
  expect(errors[0]).toMatchObject({ details: { cause: { message: 'The API does not know [connection]' } } });
  const spans = exporter.getFinishedSpans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
  expect(spans.map(({ name }) => name)).toContain('execute_tool me');
  expect(inspect([spans, errors, seen.slice(1, 3)], { depth: null })).not.toContain('canary');
});
