/** The secret of a connection reaches the handler of its call, and no other place. */
import { trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { backupData } from 'svc-service';
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_PATHS, type InvocationsPage } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { type ConsoleService, startConsole } from '../../../../test/support/console-service';
import { makeFolder } from '../../../../test/support/folder';
import { RawToolkit } from '../../../../test/support/raw-toolkit';
import { exported, filesIn, recordingLogger } from '../../support/recorded-places';

const CANARY = 'canary-5c1f9e';

/** A raw toolkit that answers each call as `answers` has it for the call's action, and keeps nothing to itself. */
async function talkativeToolkit(service: ConsoleService): Promise<RawToolkit> {
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'github' });
  const toolkit = await RawToolkit.connect(service, key);
  const action = (name: string) => ({ action: name, actionDescription: `Does ${name}` });
  const auth = { type: 'bearer', from: 'caller', help: 'A token' };
  await toolkit.register(['echo', 'fail', 'hang', 'refuse'].map(action), { toolkit: { auth } });
  return toolkit;
}

test('a credential of the caller is in no record, log, file, export, backup, trace, answer or text of a model', async () => {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const { logger, written } = recordingLogger();
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  onTestFinished(() => trace.disable());
  const service = await startConsole({ data: folder.path, logger, metrics: true, tracing: true });
  const { url, owner } = service;
  await owner.json('PATCH', ADMIN_PATHS.settings, { content: 'all' });
  const toolkit = await talkativeToolkit(service);
  const { key: agent } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const seen: string[] = [];
  const headers = { authorization: `Bearer ${agent}`, 'content-type': 'application/json', 'svc-connections': `github Bearer ${CANARY}` };
  const post = async (path: string, body: unknown, more: Record<string, string> = {}) => {
    const answer = await fetch(url + path, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
    const text = await answer.text();
    seen.push(text, JSON.stringify([...answer.headers]));
    return text;
  };
  const invoke = (action: string, more?: Record<string, string>) =>
    post(PATHS.invoke, { action: `github__${action}`, payload: { text: 'hello' } }, more);
  let calls = 0;
  const answerNext = async (members: (token: string, id: string) => object) => {
    const { id, params } = await toolkit.invoked(calls++);
    const { token } = params.connection as { token: string };
    expect(token).toBe(CANARY);
    toolkit.send({ jsonrpc: '2.0', method: 'progress', params: { invocationId: id, progress: 1, message: `with ${token}` } });
    toolkit.send({ jsonrpc: '2.0', id, ...members(token, id) });
  };
  const failure = (token: string) => ({
    error: {
      code: -32000,
      message: `401 for ${token}`,
      data: { code: 'HTTP_401', message: `no ${token}`, data: { authorization: token } },
    },
  });

  for (const more of [{}, { 'idempotency-key': 'k1' }, { accept: 'text/event-stream' }]) {
    await Promise.all([
      invoke('echo', more as Record<string, string>),
      answerNext((token) => ({ result: { token, list: [`Bearer ${token}`] } })),
    ]);
  }
  await Promise.all([invoke('fail', { 'idempotency-key': 'k2' }), answerNext(failure)]);
  await Promise.all([
    invoke('refuse', { 'idempotency-key': 'k3' }),
    answerNext((token) => ({ error: { code: -32000, message: `no ${token}`, data: { code: 'CONNECTION_REQUIRED' } } })),
  ]);
  const mcp = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'invoke_service', arguments: { action: 'github__echo' } } };
  await Promise.all([
    post(PATHS.mcp, mcp, { accept: 'application/json, text/event-stream' }),
    answerNext((token) => ({ result: token, content: [{ type: 'text', text: token }], meta: { 'x/token': token } })),
  ]);
  const hanging = invoke('hang', { 'idempotency-key': 'k4', 'svc-timeout-ms': '200' });
  const { id: late } = await toolkit.invoked(calls++);
  await hanging;
  // The data while calls run, with the journal of their commits.
  const running = [...filesIn(folder.path).values()].join('\n');
  toolkit.send({ jsonrpc: '2.0', id: late, result: { late: CANARY } });
  // Every way to be refused.
  await invoke('nothing');
  await invoke('echo', { 'svc-connections': `github Digest ${CANARY}` });
  await invoke('echo', { 'svc-connections': `github ApiKey ${CANARY}` });
  await invoke('echo', { 'svc-connections': `other Bearer ${CANARY}` });
  await invoke('echo', { 'idempotency-key': 'k1', 'svc-user-id': 'ada' });
  await post(PATHS.resolve, { action: 'github__echo' });
  await post(PATHS.search, { query: 'echo' });

  const { invocations } = await owner.json<InvocationsPage>('GET', ADMIN_PATHS.invocations);
  expect(invocations.length).toBeGreaterThan(10);
  for (const { id } of invocations) seen.push(await (await owner.ask('GET', `${ADMIN_PATHS.invocations}/${id}`)).text());
  for (const path of [ADMIN_PATHS.invocations, ADMIN_PATHS.audit, ADMIN_PATHS.searches, PATHS.metrics])
    seen.push(await (await owner.ask('GET', path)).text());
  const backup = makeFolder();
  onTestFinished(backup.remove);
  await backupData(folder.path, { to: `${backup.path}/copy` });
  const places = {
    answers: seen.join('\n'),
    log: written(),
    traces: JSON.stringify(spans.getFinishedSpans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status }))),
    running,
    export: await exported(folder.path),
    backup: [...filesIn(backup.path).values()].join('\n'),
  };
  await service.close();
  const data = [...filesIn(folder.path).values()].join('\n');
  for (const [place, text] of Object.entries({ ...places, data })) {
    expect(text.length, place).toBeGreaterThan(100);
    expect([place, text.includes('canary')]).toEqual([place, false]);
  }
  // The places hold what the canary belonged to.
  for (const place of [places.answers, data, places.export]) expect(place).toContain('github__echo');
  expect(places.answers).toContain('[connection]');
});
