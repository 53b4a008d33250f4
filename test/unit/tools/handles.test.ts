/** Calls of models that read their outcome by a handle, against scripted answers. With a real service they are in test/e2e/long-calls.test.ts. */
import { expect, test } from 'vitest';
import { sendJson, sendResult, wireServer } from './wire-server';

const RUNNING = { invocationId: 'inv_1', status: 'running', progress: { progress: 3 } };

test('a call of a long action takes its handle after `waitMs`', async () => {
  const service = await wireServer((response) => sendJson(response, RUNNING, 202));
  const answer = await service.tools().answerTool('video__render', {}, { waitMs: 2_000 });
  expect(answer).toMatchObject({ unfinished: RUNNING, value: { status: 'running', handle: 'inv_1' } });
  expect(service.requests.map(({ headers }) => headers.prefer)).toEqual(['respond-async, wait=2']);
});

test('with `handle` the answer is the outcome of that call, and nothing is called', async () => {
  let looks = 0;
  const service = await wireServer((response) =>
    looks++ === 0 ? sendJson(response, RUNNING, 202) : sendResult(response, { minutes: 90 }),
  );
  const tools = service.tools();
  expect(await tools.answerTool('video__render', undefined, { handle: 'inv_1' })).toMatchObject({ unfinished: RUNNING });
  expect(await tools.answerTool('video__render', undefined, { handle: 'inv_1', waitMs: 30_000 })).toMatchObject({
    value: { minutes: 90 },
    result: { minutes: 90 },
  });
  expect(service.requests.map(({ method, path, query }) => `${method} ${path}?${query}`)).toEqual([
    'GET /v1/invocations/inv_1?wait=0',
    'GET /v1/invocations/inv_1?wait=30',
  ]);
});
