import { expect, test } from 'vitest';
import { Tools } from '../../../src/index';
import { sendJson, sendResult, wireServer } from './wire-server';

const service = () =>
  wireServer((response, { path }) => {
    if (path === '/v1/invoke') return sendResult(response, 'done');
    if (path === '/v1/resolve') return sendJson(response, { action: {}, payload: {} });
    return sendJson(response, { actions: [{ action: 'a__b', description: '', payloadSchema: {}, toolkit: 'a', online: true }] });
  });

test('searches, calls and resolves carry the ids of user and session; the catalogue does not', async () => {
  const wire = await service();
  const tools = wire.tools({ userId: 'ada@example.com', sessionId: 'telegram/-1001/7' });
  await tools.search('weather');
  await tools.invoke('a__b');
  await tools.callTool('a__b', {});
  await tools.resolve('a__b', {});
  await tools.getTools({ staticActions: ['a__b'] });
  expect(wire.requests.map(({ path, headers }) => [path, headers['svc-user-id'], headers['svc-session-id']])).toEqual([
    ...['/v1/search', '/v1/invoke', '/v1/invoke', '/v1/resolve'].map((path) => [path, 'ada@example.com', 'telegram/-1001/7']),
    ['/v1/actions', undefined, undefined],
  ]);
});

test('without ids no header is sent', async () => {
  const wire = await service();
  await wire.tools({ userId: undefined, sessionId: undefined }).search('weather');
  expect(Object.keys(wire.requests[0]?.headers ?? {}).filter((name) => /user-id|session-id/.test(name))).toEqual([]);
});

test('an id that a header cannot carry is refused with what to send', () => {
  for (const id of ['', 'Ada Lovelace', 'Zoë', 'a\r\nx: y', 'x'.repeat(201), 7 as never]) {
    const error = { code: 'INVALID_REQUEST', message: expect.stringMatching(/^(userId|sessionId) must be 1 to 200 .*encodeURIComponent/) };
    expect(() => new Tools({ userId: id })).toThrow(expect.objectContaining(error));
    expect(() => new Tools({ sessionId: id })).toThrow(expect.objectContaining(error));
  }
  expect(() => new Tools({ userId: encodeURIComponent('Zoë Ä'), sessionId: 'x'.repeat(200) })).not.toThrow();
});
