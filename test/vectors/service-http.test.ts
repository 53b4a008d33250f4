/** The service answers the requests of the transcripts. */
import { expect, test } from 'vitest';
import { type Bindings, expectMatch, fillIn } from '../support/match';
import { runToolkit, startService } from '../support/service';
import { type Exchange, presentHeaders } from '../support/vector-exchanges';
import { defineFixture, fixture, vector } from '../support/vectors';

test.each(['agent-http', 'search-ids'])('the service answers every request of the transcript %s', async (file) => {
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
  for (const { name, request, response } of vector<(Exchange & { name: string })[]>(file)) {
    const headers = { authorization: 'Bearer $agentKey', 'content-type': 'application/json', ...presentHeaders(request.headers) };
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

function parseEvents(stream: string): { event: string; data: unknown }[] {
  const events = stream.split('\n\n').filter((event) => event !== '');
  return events.map((event) => {
    const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
    return { event: name, data: JSON.parse(data) };
  });
}
