/** numbers.json: the service and `Tools` refuse the same numbers, and a model reads all digits of a result. */
import { Tools } from 'svc-sdk';
import { expect, test } from 'vitest';
import { runToolkit, startService } from '../support/service';
import { type Exchange, startVectorService } from '../support/vector-exchanges';
import { defineFixture, fixture, vector } from '../support/vectors';

interface Numbers {
  /** The payload is accepted if there are no `issues`. */
  payloads: { name: string; json: string; issues?: { path: string; message: string }[] }[];
  results: { json: string; text: string }[];
}

const KEY = 'svc_agent_vectors';
const { payloads, results } = vector<Numbers>('numbers');

function answering(text: string): Exchange {
  return { request: { method: 'POST', path: '/v1/invoke' }, response: { status: 200, text } };
}

test('the service refuses each payload that loses digits, in every form that it understands', async () => {
  const service = await startService();
  const agent = await service.keys.create({ kind: 'agent', name: 'vectors' });
  const toolkit = await service.keys.create({ kind: 'toolkit', name: 'vector' });
  await runToolkit(service.url, toolkit.key, (it) => {
    void it.updateToolkit(fixture.toolkit);
    defineFixture(it);
  });
  const headers = { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json' };
  for (const { name, json, issues } of payloads) {
    const forms = [
      `{"action":"vector__echo","payload":${json}}`,
      `{"action":"vector__echo","payload":${JSON.stringify(json)}}`,
      JSON.stringify(`{"payload":{"action":"vector__echo","payload":${json}}}`),
    ];
    for (const body of forms) {
      for (const path of ['/v1/invoke', '/v1/resolve']) {
        const answer = (await (await fetch(service.url + path, { method: 'POST', headers, body })).json()) as Record<string, unknown>;
        if (issues) expect(answer, `${name}: ${body}`).toMatchObject({ code: 'INVALID_PAYLOAD', issues, retryable: false });
        else expect(path === '/v1/invoke' ? answer.result : answer.payload, name).toEqual(JSON.parse(json));
      }
    }
  }
});

test.each(payloads)('Tools: $name', async ({ json, issues }) => {
  const calls = [
    ['vector__echo', json],
    ['invoke_service', `{"action":"vector__echo","payload":${json}}`],
    ['invoke_service', JSON.stringify(`{"action":"vector__echo","payload":${json}}`)],
  ];
  const exchanges = calls.map(() => answering('{"invocationId":"inv_1","result":1}'));
  const { url, received } = await startVectorService(exchanges);
  const tools = new Tools({ baseUrl: url, apiKey: KEY });
  for (const [name = '', input = ''] of calls) {
    const { content } = await tools.answerTool(name, input);
    if (issues) expect(JSON.parse(content)).toMatchObject({ error: { code: 'INVALID_PAYLOAD', issues } });
    else expect(content).toBe('1');
  }
  expect(received.map(({ body }) => body)).toEqual(issues ? [] : calls.map(() => ({ action: 'vector__echo', payload: JSON.parse(json) })));
});

test.each(results)('a model reads $text', async ({ json, text }) => {
  const { url } = await startVectorService([answering(`{"invocationId":"inv_1","result":${json}}`)]);
  const { content } = await new Tools({ baseUrl: url, apiKey: KEY }).answerTool('vector__echo', {});
  expect(content).toBe(text);
});
