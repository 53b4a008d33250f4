import { format, inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { ActionContext, ToolkitDetails } from '../../../src/index';
import { Toolkit } from '../../../src/index';
import type { FrameConnection } from '../../../src/protocol/connections';
import { InvocationConnection } from '../../../src/toolkit/action-connection';
import { InvocationContext } from '../../../src/toolkit/context';
import { Invocation } from '../../../src/toolkit/invocation';
import { KEY } from './wire-service';

const TOKEN = 'tok-canary-1';
const FRAME: FrameConnection = { type: 'bearer', token: TOKEN, account: 'octocat', expiresAt: '2026-11-27T10:00:00Z' };
const noRenewal = () => Promise.reject(new Error('not expected'));

test('a connection prints as [connection], and its secret is in no form that prints, clones or spreads', () => {
  const connection = new InvocationConnection(FRAME, noRenewal);
  expect([String(connection), `${connection}`, JSON.stringify({ connection }), inspect(connection)]).toEqual([
    '[connection]',
    '[connection]',
    '{"connection":"[connection]"}',
    '[connection]',
  ]);
  const definition = { name: 'list', needsConnection: true, registrationJson: '{}', run: () => {} };
  const params = { action: 'list', payload: {}, agentId: 'key_1', timeoutMs: 1_000, idempotencyKey: 'k', attempt: 1, connection: FRAME };
  const invocation = new Invocation('inv_1', definition, params, { sendProgress: () => {}, renewConnection: noRenewal });
  const context: ActionContext = new InvocationContext(invocation);
  expect(context.connection?.token).toBe(TOKEN);
  const printed = [connection, context, invocation].flatMap((value) => [
    inspect(value, { depth: null, showHidden: true, getters: true, customInspect: true }),
    format('%s %o %O %j', value, value, value, value),
    JSON.stringify({ ...value }),
    JSON.stringify(Object.entries(value)),
  ]);
  for (const text of [
    ...printed,
    inspect(connection, { customInspect: false, showHidden: true }),
    JSON.stringify(structuredClone(connection)),
  ])
    expect(text).not.toContain('canary');
  invocation.end('"result":1');
  expect(context.connection).toBeUndefined();
});

test('calls of refused() side by side share one request, and a later one makes another', async () => {
  const renewals: PromiseWithResolvers<FrameConnection>[] = [];
  const connection = new InvocationConnection(FRAME, () => {
    renewals.push(Promise.withResolvers());
    return (renewals.at(-1) as PromiseWithResolvers<FrameConnection>).promise;
  });
  const both = Promise.all([connection.refused(), connection.refused()]);
  renewals[0]?.resolve({ type: 'bearer', token: 'tok-2' });
  await both;
  expect([connection.headers(), connection.expiresAt, renewals.length]).toEqual([{ Authorization: 'Bearer tok-2' }, undefined, 1]);
  const later = connection.refused();
  renewals[1]?.reject(new Error('There is no other'));
  await expect(later).rejects.toThrow('There is no other');
  expect(connection.token).toBe('tok-2');
});

const oauth2 = { type: 'oauth2', from: 'user' } as const;

test.each<[unknown, string]>([
  ['bearer', 'it is an object such as { type: "bearer", from: "caller" }'],
  [{ type: 'token', from: 'user' }, 'type is one of bearer, basic, apiKey, oauth2'],
  [{ type: 'bearer' }, 'from is one of caller, user, agent, everyone'],
  [{ type: 'bearer', from: 'user', help: 7 }, 'help is a text'],
  [{ type: 'bearer', from: 'user', scopes: ['repo'] }, 'Only oauth2 has endpoints and scopes, and this is bearer'],
  [{ type: 'basic', from: 'user', name: 'X-Key' }, 'Only apiKey has "in" and "name", and this is basic'],
  [oauth2, 'oauth2 needs authorizationUrl and tokenUrl, or server'],
  [{ ...oauth2, authorizationUrl: 'https://a.example', tokenUrl: 'ftp://a.example' }, 'tokenUrl is an https:// or http:// address'],
  [{ ...oauth2, server: 'a.example' }, 'server is an https:// or http:// address'],
  [{ ...oauth2, server: 'https://a.example', scopes: 'repo' }, 'scopes is a list of texts without spaces'],
])('updateToolkit refuses auth %j at once', async (auth, message) => {
  const toolkit = new Toolkit({ apiKey: KEY });
  await expect(toolkit.updateToolkit({ auth } as ToolkitDetails)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining(message),
  });
});

test.each<[unknown, string]>([
  [true, 'auth is false, or { scopes: […] }'],
  [{ scopes: ['two words'] }, 'scopes is a list of texts without spaces'],
  [{}, 'scopes is a list'],
])('an action refuses auth %j at once', (auth, message) => {
  const toolkit = new Toolkit({ apiKey: KEY });
  const define = () => toolkit.action({ action: 'list', actionDescription: 'Lists', auth: auth as false }, () => 1);
  expect(define).toThrow(expect.objectContaining({ code: 'INVALID_ACTION', message: expect.stringContaining(message) }));
});
