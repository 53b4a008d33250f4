/** A key that ends while it is in use, by revocation or by expiry: its running calls and sockets end too, on every route. */
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { startConsole } from '../../../test/support/console-service';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import type { TestService } from '../../../test/support/service';

const SECOND_OF_DAYS = 1 / 86_400;
const CALL = { action: 'hanging__wait', payload: {} };

/** A toolkit whose calls never end, and how many of them run and were cancelled. */
async function hangingToolkit(service: TestService): Promise<{ running: number; cancelled: number }> {
  const calls = { running: 0, cancelled: 0 };
  await service.toolkit('hanging', (toolkit) => {
    toolkit.action({ action: 'wait', actionDescription: 'Waits' }, async ({ signal }) => {
      calls.running++;
      await once(signal, 'abort');
      calls.cancelled++;
      throw signal.reason;
    });
  });
  return calls;
}

const rpc = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'invoke_service', arguments: CALL } });

/** The same call over each way in, with the text of its answer. */
function callEveryWay(service: TestService, key: string): Promise<string>[] {
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const init = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    };
    return (await fetch(service.url + path, init)).text();
  };
  return [
    post(PATHS.invoke, CALL),
    post(PATHS.invoke, CALL, { accept: 'text/event-stream' }),
    post(PATHS.invoke, CALL, { 'idempotency-key': 'once' }),
    post(PATHS.mcp, rpc(1), { accept: 'application/json, text/event-stream' }),
    post(PATHS.mcp, [rpc(1), rpc(2)], { accept: 'application/json, text/event-stream' }),
  ];
}

test.each(['KEY_EXPIRED', 'KEY_REVOKED'])('the running calls of a key end with %s, over every way in', async (code) => {
  const service = await startConsole();
  const calls = await hangingToolkit(service);
  const expires = code === 'KEY_EXPIRED' ? { expiresInDays: 2 * SECOND_OF_DAYS } : {};
  const { id, key } = await service.keys.create({ kind: 'agent', name: 'agent', ...expires });
  const answers = callEveryWay(service, key);
  await vi.waitFor(() => expect(calls.running).toBe(6));
  if (code === 'KEY_REVOKED') await service.keys.revoke(id);
  for (const answer of await Promise.all(answers)) expect(answer).toContain(code);
  await vi.waitFor(() => expect(calls.cancelled).toBe(6));
});

test('a call that a person makes in the name of a key ends with the key', async () => {
  const service = await startConsole();
  const calls = await hangingToolkit(service);
  const { id } = await service.owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'agent' });
  const answer = service.owner.ask('POST', `${PATHS.keys}/${id}/invoke`, CALL);
  await vi.waitFor(() => expect(calls.running).toBe(1));
  await service.owner.ask('DELETE', `${PATHS.keys}/${id}`);
  expect(await (await answer).json()).toMatchObject({ code: 'KEY_REVOKED' });
  await vi.waitFor(() => expect(calls.cancelled).toBe(1));
});

test('a token of a key that expires ends with the key, and no earlier', async () => {
  const service = await startConsole();
  await hangingToolkit(service);
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent', expiresInDays: 3 * SECOND_OF_DAYS });
  const { token } = await service.as(key).json<{ token: string }>('POST', PATHS.tokens, { ttlSeconds: 1 });
  const startedAt = Date.now();
  expect(await (await service.as(token).ask('POST', PATHS.invoke, CALL)).json()).toMatchObject({ code: 'KEY_EXPIRED' });
  expect(Date.now() - startedAt).toBeGreaterThan(1_500);
});

test('the sockets of a toolkit key that expires are closed', async () => {
  const service = await startConsole();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'short', expiresInDays: 1.5 * SECOND_OF_DAYS });
  const toolkit = await RawToolkit.connect(service, key);
  await vi.waitFor(() => expect(toolkit.closed).toMatchObject({ reason: expect.stringContaining('KEY_EXPIRED') }));
});
