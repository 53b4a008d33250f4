import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SvcError, Tools, type ToolsOptions } from 'svc-sdk';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Bindings, expectMatch, fillIn } from '../support/match';
import { runToolkit, startService } from '../support/service';
import { defineFixture, fixture, vector } from '../support/vectors';

/** Null: there is none of that name. */
type Headers = Record<string, string | null>;

interface Exchange {
  name: string;
  call?: { method: 'search' | 'invoke' | 'resolve'; args: unknown[]; options?: ToolsOptions };
  request: { method: string; path: string; headers?: Headers; body?: unknown; text?: string };
  response: { status: number; headers?: Headers; body?: unknown; events?: { event: string; data: unknown }[] };
  outcome?: { value?: unknown; error?: unknown };
}

const exchanges = vector<Exchange[]>('agent-http');
const searchIds = vector<Exchange[]>('search-ids');

test.each([
  ['agent-http', exchanges],
  ['search-ids', searchIds],
])('the service answers every request of the transcript %s', async (_name, transcript) => {
  const service = await startService();
  const agent = await service.keys.create({ kind: 'agent', name: 'vectors' });
  const buyer = await service.keys.create({ kind: 'agent', name: 'buyer', budget: { perCall: '0.05', perDay: '0.06' } });
  const toolkit = await service.keys.create({ kind: 'toolkit', name: 'vector' });
  await runToolkit(service.url, toolkit.key, (it) => {
    void it.updateToolkit(fixture.toolkit);
    defineFixture(it);
  });
  const bindings: Bindings = new Map([
    ['agentKey', agent.key],
    ['buyerKey', buyer.key],
    ['toolkitKey', toolkit.key],
  ]);
  for (const { name, request, response } of transcript) {
    const headers = { authorization: 'Bearer $agentKey', 'content-type': 'application/json', ...present(request.headers) };
    const body = request.text ?? (request.body === undefined ? null : JSON.stringify(fillIn(request.body, bindings)));
    const answer = await fetch(service.url + request.path, {
      method: request.method,
      headers: fillIn(headers, bindings) as HeadersInit,
      body,
    });
    expect(answer.status, name).toBe(response.status);
    for (const [header, value] of Object.entries(response.headers ?? {})) expectMatch(answer.headers.get(header), value, bindings, name);
    if (response.events) expectMatch(parseEvents(await answer.text()), response.events, bindings, name);
    else expectMatch(await answer.json(), response.body, bindings, name);
  }
});

describe('Tools sends what the transcript says and understands the answer', () => {
  test.each(exchanges.filter(({ call }) => call))('$name', async ({ call, request, response, outcome }) => {
    const { url, received } = await answering(response);
    const tools = new Tools({ baseUrl: url, apiKey: 'svc_agent_vectors', ...call?.options });
    const [first, ...rest] = call?.args ?? [];
    const result: Promise<unknown> = tools[call?.method ?? 'invoke'](first as string, ...(rest as [never]));
    const said = await result.then(
      (value) => ({ value }),
      (error: unknown) => ({ error: SvcError.is(error) ? error.toJSON() : error }),
    );
    const bindings: Bindings = new Map();
    expectMatch(received[0], { ...request, headers: { ...request.headers, authorization: 'Bearer svc_agent_vectors' } }, bindings);
    expectMatch(said, outcome, bindings);
  });
});

test('one Tools names its searches as the transcript does', async () => {
  const ids = new Map([
    ['first', 'node.1'],
    ['second', 'node.2'],
  ]);
  const steps = searchIds.filter(({ call }) => call);
  const { url, received } = await answering(...steps.map(({ response }) => fillIn(response, ids) as Exchange['response']));
  const tools = new Tools({ baseUrl: url, apiKey: 'svc_agent_vectors' });
  for (const { name, call, request } of steps) {
    const [first, ...rest] = call?.args ?? [];
    await tools[call?.method ?? 'invoke'](first as string, ...(rest as [never])).catch(() => {});
    const { headers, ...sent } = received.pop() as { headers: Record<string, string> };
    expectMatch(sent, { ...request, headers: undefined }, new Map(), name);
    expect(headers['svc-search-id'] ?? null, name).toEqual(fillIn(request.headers?.['svc-search-id'], ids));
  }
});

function present(headers: Headers = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((header): header is [string, string] => header[1] !== null));
}

function parseEvents(stream: string): { event: string; data: unknown }[] {
  const events = stream.split('\n\n').filter((event) => event !== '');
  return events.map((event) => {
    const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
    return { event: name, data: JSON.parse(data) };
  });
}

/** A service that gives these answers, whatever comes, the last one for ever; what came is in `received`. */
async function answering(...answers: Exchange['response'][]): Promise<{ url: string; received: unknown[] }> {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    received.push({
      method: request.method,
      path: request.url,
      headers: request.headers,
      body: sent === '' ? undefined : JSON.parse(sent),
    });
    const { status, headers, body } = (answers.length > 1 ? answers.shift() : answers[0]) as Exchange['response'];
    response
      .writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json', ...present(headers) })
      .end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
