/** POST /v1/explain and `svc-sdk explain`: why a search returns an action or not. */

import { describe, expect, test } from 'vitest';
import type { ExplainRequest, ExplainResponse } from '#sdk/protocol/http';
import { runToolkit, startService } from '../../../test/support/service';
import { runCommand } from '../support/command';

const EXPLAIN = '/v1/explain';

/** A service with weather, clouds and orders. */
async function startSky(options: { rankWeights?: 'off' } = {}) {
  const service = await startService(options);
  const weather = await service.keys.create({ kind: 'toolkit', name: 'weather' });
  const toolkit = await runToolkit(service.url, weather.key, (one) => {
    one.action({ action: 'today', actionDescription: 'Weather of today in a city: temperature and rain' }, () => 1);
    one.action({ action: 'forecast', actionDescription: 'Rain, rain and again rain, and wind, for the next days' }, () => 1);
  });
  await service.toolkit('shop', (one) => {
    one.action({ action: 'find_orders', actionDescription: 'Finds orders of a customer; rain or shine' }, () => 1);
  });
  const keyOf = async (request: object) => (await service.keys.create({ kind: 'agent', name: 'me', ...request })).key;
  const ask = async (key: string, body: Partial<ExplainRequest> | string) => {
    const response = await fetch(service.url + EXPLAIN, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  const explain = async (key: string, query: string, action: string, limit?: number): Promise<ExplainResponse> => {
    const { status, body } = await ask(key, { query, action, ...(limit !== undefined && { limit }) });
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  return { service, toolkit, toolkitKey: weather.key, agentKey: await keyOf({}), keyOf, ask, explain };
}

describe('with an agent key', () => {
  test('an action that is found: its rank is that of the search, with its matching words', async () => {
    const { service, agentKey, explain } = await startSky();
    const query = 'rain in a city';
    const { actions } = await (await service.tools()).search(query);
    for (const [i, { action }] of actions.entries()) {
      const { outrankedBy, ...rest } = await explain(agentKey, query, action);
      expect(rest).toMatchObject({ action, found: true, rank: i + 1, online: true, allowed: true });
      expect(outrankedBy.map((other) => other.action)).toEqual(actions.slice(0, i).map((other) => other.action));
      for (const { score = 0 } of outrankedBy) expect(score).toBeGreaterThanOrEqual(rest.score);
    }
    const { terms, missing, reason } = await explain(agentKey, 'rain in a village', 'weather__today');
    expect(terms[0]).toEqual({ term: 'rain', kind: 'word', rarity: expect.any(Number), fields: { description: expect.any(Number) } });
    expect(missing).toEqual(['village']);
    expect(reason).toMatch(/^It is number \d: "rain" in its description counts the most/);
  });

  test('the second stage explains itself feature by feature, the best by words first in that', async () => {
    const { agentKey, explain } = await startSky();
    const { features } = await explain(agentKey, 'rain in a city', 'weather__today');
    expect(features[0]).toEqual({ feature: 'words', value: expect.any(Number), weight: 1 });
    expect(features.map(({ feature }) => feature)).toEqual(['words', 'query', 'description', 'toolkit']);
    expect(features.find(({ feature }) => feature === 'query')?.value).toBe(1);
  });

  test('without the second stage the words together are the score', async () => {
    const { agentKey, explain } = await startSky({ rankWeights: 'off' });
    const { score, terms, usage } = await explain(agentKey, 'rain in a city', 'weather__today');
    const words = terms.flatMap(({ fields }) => Object.values(fields)).reduce((sum, points) => sum + points, 0);
    expect(words + usage).toBeCloseTo(score, 2);
  });

  test('a corrected word is reported as the action has it', async () => {
    const { agentKey, explain } = await startSky();
    const { terms, missing } = await explain(agentKey, 'ordrs', 'shop__find_orders');
    expect({ terms, missing }).toEqual({ terms: [expect.objectContaining({ term: 'orders' })], missing: [] });
  });

  test('one that is ranked below the limit of a search', async () => {
    const { agentKey, explain } = await startSky();
    const { found, rank, reason, outrankedBy } = await explain(agentKey, 'rain for the next days', 'weather__today', 1);
    expect({ found, rank, outrankedBy: outrankedBy[0]?.action }).toEqual({ found: false, rank: 2, outrankedBy: 'weather__forecast' });
    expect(reason).toMatch(/^It is number 2, and a search returns 1: /);
  });

  test('one of which nothing fits, with the words that would', async () => {
    const { agentKey, explain } = await startSky();
    expect(await explain(agentKey, 'pay an invoice', 'shop__find_orders')).toMatchObject({
      found: false,
      rank: null,
      online: true,
      score: 0,
      terms: [],
      reason: 'No word of the query is in it; words that would find it: find, orders, finds, customer, rain, shine',
    });
    for (const query of ['', 'the of a', '🙂', ' '])
      expect(await explain(agentKey, query, 'shop__find_orders')).toMatchObject({
        rank: null,
        terms: [],
        reason: expect.stringMatching(/^The query has no words to search by; words that would find it: find, orders/),
      });
  });

  test.each([
    ['weather__today', 'id'],
    ['today', 'name'],
    ['weather', 'toolkit'],
  ])('"%s" is its %s', async (query, exact) => {
    const { agentKey, explain } = await startSky();
    expect(await explain(agentKey, query, 'weather__today')).toMatchObject({
      found: true,
      exact,
      reason: expect.stringContaining('the query is'),
    });
  });

  test('one that is offline is not found, and has the rank that it would have', async () => {
    const { toolkit, agentKey, explain } = await startSky();
    await toolkit.stop();
    expect(await explain(agentKey, 'rain in a city', 'weather__today')).toMatchObject({
      found: false,
      online: false,
      rank: 1,
      reason: expect.stringMatching(/^No process serves it now.*number 1/),
    });
    const { outrankedBy } = await explain(agentKey, 'rain rain', 'shop__find_orders');
    expect(outrankedBy).toEqual([]);
  });

  test('one that the key may not use is reported as missing', async () => {
    const { keyOf, explain } = await startSky();
    const key = await keyOf({ allow: { toolkits: ['shop'] } });
    const answers = await Promise.all(['weather__today', 'weather__nothing', 'no id'].map((id) => explain(key, 'rain in a city', id)));
    for (const { action: _, ...answer } of answers) {
      expect(answer).toEqual({
        found: false,
        rank: null,
        allowed: false,
        online: false,
        reason: 'This key may not use it, so no search with this key returns it',
        score: 0,
        features: [],
        terms: [],
        missing: [],
        usage: 0,
        outrankedBy: [],
      });
    }
    expect(await explain(key, 'rain', 'shop__find_orders')).toMatchObject({ found: true, rank: 1, outrankedBy: [] });
  });

  test('one that is not there is an error with what was meant', async () => {
    const { agentKey, ask } = await startSky();
    const { status, body } = await ask(agentKey, { query: 'rain', action: 'weather__tody' });
    expect({ status, body }).toMatchObject({ status: 404, body: { code: 'ACTION_NOT_FOUND', didYouMean: ['weather__today'] } });
  });

  test.each([
    [{ query: 'rain' }, 400],
    [{ action: 'weather__today' }, 400],
    [{ query: 'rain', action: 'weather__today', limit: 51 }, 400],
    ['{', 400],
  ])('%j is refused', async (body, expected) => {
    const { agentKey, ask } = await startSky();
    expect(await ask(agentKey, body)).toMatchObject({ status: expected, body: { code: 'INVALID_REQUEST' } });
  });
});

describe('with a toolkit key', () => {
  test('its own actions are explained among all, and others are listed by their ids only', async () => {
    const { toolkitKey, service, explain } = await startSky();
    const shop = (await service.keys.create({ kind: 'toolkit', name: 'two', toolkit: 'shop' })).key;
    const { rank, outrankedBy } = await explain(shop, 'rain in a city', 'shop__find_orders');
    expect(outrankedBy).toHaveLength((rank ?? 0) - 1);
    expect(outrankedBy.length).toBeGreaterThan(0);
    for (const other of outrankedBy) expect(other).toEqual({ action: expect.stringMatching(/^weather__/) });
    const own = await explain(toolkitKey, 'rain for the next days', 'weather__today');
    expect(own.outrankedBy).toEqual([{ action: 'weather__forecast', score: expect.any(Number) }]);
  });

  test('those of another toolkit are refused, whether they are there or not', async () => {
    const { toolkitKey, ask } = await startSky();
    for (const action of ['shop__find_orders', 'shop__nothing', 'weather', '__proto__'])
      expect(await ask(toolkitKey, { query: 'rain', action })).toMatchObject({ status: 403, body: { code: 'ACTION_NOT_ALLOWED' } });
    expect(await ask(toolkitKey, { query: 'rain', action: 'weather__tody' })).toMatchObject({
      status: 404,
      body: { didYouMean: ['weather__today'] },
    });
  });
});

test('any other key is refused with what is needed', async () => {
  const { service, ask } = await startSky();
  const { key } = await service.keys.create({ kind: 'admin', name: 'boss' });
  const body = { query: 'rain', action: 'weather__today' };
  expect(await ask(key, body)).toMatchObject({
    status: 403,
    body: { code: 'WRONG_KEY_KIND', detail: expect.stringContaining('svc_agent_… or svc_toolkit_…') },
  });
  expect(await ask('nothing', body)).toMatchObject({ status: 401, body: { code: 'INVALID_KEY' } });
});

describe('svc-sdk explain', () => {
  test('prints the explanation in words, or as JSON', async () => {
    const { service, agentKey } = await startSky();
    const env = { SVC_BASE_URL: service.url, SVC_AGENT_API_KEY: agentKey };
    const run = (...args: string[]) => runCommand(['explain', 'weather__today', ...args], { env });
    const { code, stdout, stderr } = await run('--limit', '1', 'rain', 'for', 'the', 'next', 'days');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^weather__today is not found\. It is number 2, and a search returns 1: .*\.\n\nword .*description\nrain +\d\.\d\d\n/,
    );
    expect(stdout).toMatch(/\n\nWords that it has not: next, days\n\nIt has \d\.\d\d; before it: weather__forecast \(\d\.\d\d\)\n$/);
    expect(JSON.parse((await run('--json', 'rain')).stdout)).toMatchObject({ action: 'weather__today', found: true });
  });

  test('accepts the key of the toolkit, and the error names the kinds of keys', async () => {
    const { service, toolkitKey } = await startSky();
    const env = { SVC_BASE_URL: service.url, SVC_TOOLKIT_API_KEY: toolkitKey };
    expect(await runCommand(['explain', 'weather__today', 'rain'], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('is found'),
    });
    expect(await runCommand(['explain', 'shop__find_orders', 'rain'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^ACTION_NOT_ALLOWED/),
    });
    expect(await runCommand(['explain', 'weather__tody', 'rain'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean weather__today?'),
    });
    expect(await runCommand(['explain', 'weather__today', 'rain'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^INVALID_KEY: .*SVC_TOOLKIT_API_KEY/),
    });
  });
});
