/** Search by meaning, with a real service, a real store, and a local embedding server. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { MockEmbeddingModelV3, MockEmbeddingModelV4 } from 'ai/test';
import { type Toolkit, Tools } from 'svc-sdk';
import { createService, type EmbeddingsOptions, type Logger } from 'svc-service';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ExplainResponse } from '#sdk/protocol/http';
import { EmbeddingsServer, embed, sendJson } from '../../../test/support/embeddings-server';
import { makeFolder } from '../../../test/support/folder';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { runToolkit, startService } from '../../../test/support/service';
import { openKeyStore } from '../../src/store/open-store';

const SECRET = 'sk-very-secret-0123456789';
const CAR = { action: 'wash', actionDescription: 'Washes an automobile' };
const BILL = { action: 'chase', actionDescription: 'Reminds people of an invoice' };
const RAIN = { action: 'sky', actionDescription: 'Tells the weather' };
const ACTIONS = [CAR, BILL, RAIN];

function folder(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return path;
}

/** Keeps what was logged, as text. */
function recorder(): Logger & { lines: string[] } {
  const lines: string[] = [];
  const write = (fields: object, message: string) => {
    const { error } = fields as { error?: Error };
    lines.push(`${message} ${JSON.stringify(fields)} ${error?.stack ?? ''}`);
  };
  // Drops log lines about start, stop and calls.
  return { lines, info() {}, warn: write, error: write };
}

const define = (toolkit: Toolkit) => {
  for (const action of ACTIONS) toolkit.action(action, () => 'done');
};

/** Patient, unless a test is about the deadline. */
const embeddingsOf = (server: EmbeddingsServer, more: object = {}): EmbeddingsOptions => ({
  url: server.url,
  model: 'words',
  deadlineMs: 5_000,
  ...more,
});

async function setUp(embeddings: EmbeddingsOptions, logger: Logger = recorder()) {
  const service = await startService({ embeddings, logger });
  await service.toolkit('kit', define);
  return { service, tools: await service.tools() };
}

const ids = async (tools: Tools, query: string, limit?: number) =>
  (await tools.search(query, limit === undefined ? {} : { limit })).actions.map(({ action }) => action);

/** Waits until the search finds by meaning. */
const findsByMeaning = (tools: Tools, query = 'fahrzeug', id = 'kit__wash') =>
  vi.waitFor(async () => expect((await ids(tools, query))[0]).toBe(id), { interval: 20 });

test('an action is found by a word of the same meaning, which is nowhere in its text', async () => {
  const server = await EmbeddingsServer.start();
  const { tools } = await setUp(embeddingsOf(server));
  await findsByMeaning(tools);
  expect((await ids(tools, 'wer hat schulden'))[0]).toBe('kit__chase');
  expect((await ids(tools, 'niederschlag'))[0]).toBe('kit__sky');

  const lexical = await startService();
  await lexical.toolkit('kit', define);
  expect(await ids(await lexical.tools(), 'fahrzeug')).toEqual([]);
});

test('an explanation has the ranks of the search, by meaning too', async () => {
  const server = await EmbeddingsServer.start();
  const { service, tools } = await setUp(embeddingsOf(server));
  await findsByMeaning(tools);
  const { key } = await service.keys.create({ kind: 'agent', name: 'curious' });
  const explain = async (query: string, action: string): Promise<ExplainResponse> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return (await fetch(`${service.url}/v1/explain`, { method: 'POST', headers, body: JSON.stringify({ query, action }) })).json();
  };
  for (const query of ['fahrzeug', 'washes a wagen in the regen', 'tells schulden', 'Chase']) {
    const found = await ids(tools, query);
    for (const [i, action] of found.entries()) {
      const outrankedBy = found.slice(0, i).map((id) => ({ action: id }));
      expect(await explain(query, action)).toMatchObject({ found: true, rank: i + 1, meaning: expect.any(Number), outrankedBy });
    }
  }
  expect(await explain('fahrzeug', 'kit__wash')).toMatchObject({
    meaning: 1,
    terms: [],
    reason: 'It is number 1: no word of the query is in it, but its meaning is near',
  });

  await server.stop();
  expect(await explain('arzt', 'kit__wash')).toMatchObject({ found: false, rank: null });
});

test('words and meaning are combined, and the answer is deterministic', async () => {
  const server = await EmbeddingsServer.start();
  const { tools } = await setUp(embeddingsOf(server));
  await findsByMeaning(tools);
  const first = await tools.search('washes a wagen in the regen');
  expect(first.actions.map(({ action }) => action).slice(0, 2)).toEqual(['kit__wash', 'kit__sky']);
  for (let time = 0; time < 3; time++) expect(await tools.search('washes a wagen in the regen')).toEqual(first);
});

test.each([
  ['an id', 'kit__chase', ['kit__chase']],
  ['a name', 'Chase', ['kit__chase']],
  ['a toolkit', 'KIT', ['kit__sky', 'kit__wash', 'kit__chase']],
])('%s as query is ranked first for any vectors', async (_, query, first) => {
  const server = await EmbeddingsServer.start();
  // A ranking by meaning would list every other action before `chase`.
  server.behaviour = (response, request) =>
    sendJson(response, {
      data: request.input.map((text, index) => ({ index, embedding: text.includes('invoice') ? [1, 0.1] : [0.1, 1] })),
    });
  const { tools } = await setUp(embeddingsOf(server));
  await vi.waitFor(async () => expect(await ids(tools, 'zzz', 3)).toHaveLength(3));
  expect((await ids(tools, 'zzz', 3))[2]).toBe('kit__chase');
  expect((await ids(tools, query, 3)).slice(0, first.length)).toEqual(first);
});

test('limit, allow list and what is online hold for what is found by meaning, before the cut', async () => {
  const server = await EmbeddingsServer.start();
  const { service, tools } = await setUp(embeddingsOf(server));
  const other = await service.toolkit('garage', (toolkit) => {
    for (let i = 0; i < 20; i++) toolkit.action({ action: `car_${i}`, actionDescription: 'Parks an automobile' }, () => 'done');
  });
  await vi.waitFor(async () => expect(await ids(tools, 'automobile', 3)).toHaveLength(3));

  const limited = await service.tools({}, { allow: { toolkits: [], actions: ['kit__wash', 'kit__sky'] } });
  await vi.waitFor(async () => expect(await ids(limited, 'fahrzeug', 1)).toEqual(['kit__wash']));
  expect(await ids(limited, 'wagen', 2)).toEqual(['kit__wash', 'kit__sky']);
  await other.stop();
  await vi.waitFor(async () => expect((await ids(tools, 'wagen', 3))[0]).toBe('kit__wash'));
});

test('vectors are matched to their texts by `index`, in any order', async () => {
  const server = await EmbeddingsServer.start();
  server.behaviour = (response, request) => sendJson(response, { ...server.answer(request), data: server.answer(request).data.reverse() });
  const { tools } = await setUp(embeddingsOf(server));
  await findsByMeaning(tools);
});

test('the wire: path, model, key, dimensions, and batches that any server takes', async () => {
  const server = await EmbeddingsServer.start();
  const service = await startService({ embeddings: embeddingsOf(server, { url: `${server.url}/`, apiKey: SECRET, dimensions: 32 }) });
  await service.toolkit('many', (toolkit) => {
    for (let i = 0; i < 70; i++) toolkit.action({ action: `a${i}`, actionDescription: `Does the ${i}th thing` }, () => 'done');
  });
  await vi.waitFor(() => expect(server.texts).toHaveLength(70));
  const { path, headers, model, dimensions } = server.requests[0]!;
  expect({ path, key: headers.authorization, model, dimensions }).toEqual({
    path: '/v1/embeddings',
    key: `Bearer ${SECRET}`,
    model: 'words',
    dimensions: 32,
  });
  expect(server.requests.map(({ input }) => input.length)).toEqual([32, 32, 6]);
  expect(server.texts).toContain('many: a0\nDoes the 0th thing');
});

describe('the embedded texts, and the times of embedding', () => {
  /** Runs a service on the data until `ready`, with the actions of toolkit `kit` registered. */
  async function run(
    data: string,
    embeddings: EmbeddingsOptions | undefined,
    ready: (tools: Tools) => Promise<unknown>,
    actions: object[] = ACTIONS,
  ) {
    const service = await createService({ port: 0, data, embeddings });
    try {
      const { length: known } = await service.keys.list();
      const { key } = await service.keys.create({ kind: 'toolkit', name: 'kit', ...(known > 0 && { toolkit: 'kit' }) });
      const raw = await RawToolkit.connect(service, key);
      await raw.register(actions);
      await ready(new Tools({ baseUrl: service.url, apiKey: (await service.keys.create({ kind: 'agent', name: 'me' })).key }));
    } finally {
      await service.close();
    }
  }

  test('a restart embeds nothing anew', async () => {
    const server = await EmbeddingsServer.start();
    const data = folder();
    await run(data, embeddingsOf(server), (tools) => findsByMeaning(tools));
    expect(server.texts.filter((text) => text.startsWith('kit'))).toHaveLength(3);
    server.requests.length = 0;
    await run(data, embeddingsOf(server), (tools) => findsByMeaning(tools, 'wagen'));
    expect(server.texts).toEqual(['wagen']);
  });

  test('another model or other dimensions embed all of it anew', async () => {
    const server = await EmbeddingsServer.start();
    const data = folder();
    await run(data, embeddingsOf(server), (tools) => findsByMeaning(tools));
    for (const change of [{ model: 'others' }, { model: 'others', dimensions: 128 }]) {
      server.requests.length = 0;
      await run(data, embeddingsOf(server, change), (tools) => findsByMeaning(tools));
      expect(server.texts.filter((text) => text.startsWith('kit'))).toHaveLength(3);
    }
  });

  test('only an action with a changed text is embedded again, and a removed action is no longer found', async () => {
    const server = await EmbeddingsServer.start();
    const data = folder();
    await run(data, embeddingsOf(server), (tools) => findsByMeaning(tools));
    server.requests.length = 0;
    const now = [
      { ...CAR, annotations: { readOnly: true } },
      { ...BILL, actionDescription: 'Finds a physician' },
    ];
    const ready = async (tools: Tools) => {
      await findsByMeaning(tools, 'arzt', 'kit__chase');
      expect(await ids(tools, 'regen', 3)).not.toContain('kit__sky');
    };
    await run(data, embeddingsOf(server), ready, now);
    expect(server.texts.filter((text) => text.startsWith('kit'))).toEqual([expect.stringContaining('physician')]);

    // The removed action is registered again as a new one.
    server.requests.length = 0;
    await run(data, embeddingsOf(server), (tools) => findsByMeaning(tools, 'niederschlag', 'kit__sky'), [...now, RAIN]);
    expect(server.texts.filter((text) => text.startsWith('kit'))).toEqual([expect.stringContaining('weather')]);
  });

  test('the vector of a removed action is deleted from the store, also if embeddings were off at its removal', async () => {
    const server = await EmbeddingsServer.start();
    const data = folder();
    const stored = async () => {
      const store = await openKeyStore({ data });
      const records = await store.vectors.page({ after: '', limit: 10 });
      await store.close();
      return records.map(({ actionId }) => actionId);
    };
    await run(data, embeddingsOf(server), async (tools) => {
      await findsByMeaning(tools);
      await vi.waitFor(async () => expect(await stored()).toEqual(['kit__chase', 'kit__sky', 'kit__wash']));
    });
    const gone = () => vi.waitFor(async () => expect(await stored()).toEqual(['kit__chase', 'kit__wash']));
    await run(data, embeddingsOf(server), gone, [CAR, BILL]);
    await run(data, undefined, async () => {}, [CAR]);
    expect(await stored()).toEqual(['kit__chase', 'kit__wash']);
    await run(data, embeddingsOf(server), () => vi.waitFor(async () => expect(await stored()).toEqual(['kit__wash'])), [CAR]);
  });

  test('a query is embedded once for any number of concurrent and later searches', async () => {
    const server = await EmbeddingsServer.start();
    const { tools } = await setUp(embeddingsOf(server));
    await findsByMeaning(tools, 'fahrzeug');
    await Promise.all(Array.from({ length: 10 }, () => ids(tools, 'wagen')));
    await ids(tools, ' wagen ');
    expect(server.texts.filter((text) => text === 'wagen')).toHaveLength(1);
  });

  test.each(['', '   ', '!?', '🙂'])('no request is sent for the query %j', async (query) => {
    const server = await EmbeddingsServer.start();
    const { tools } = await setUp(embeddingsOf(server));
    await findsByMeaning(tools);
    const before = server.requests.length;
    await ids(tools, query);
    expect(server.requests).toHaveLength(before);
  });
});

describe('a server that does not do its part', () => {
  test('down: the service starts, finds by words, logs it once without secrets, and embeds all when the server starts', async () => {
    const server = await EmbeddingsServer.start();
    await server.stop();
    const logger = recorder();
    const { tools } = await setUp(embeddingsOf(server, { apiKey: SECRET }), logger);
    expect(await ids(tools, 'invoice')).toEqual(['kit__chase']);
    await vi.waitFor(() => expect(logger.lines.join()).toContain('cannot be reached'));
    await server.start();
    await findsByMeaning(tools);
    expect(logger.lines.filter((line) => line.includes('cannot be reached'))).toHaveLength(1);
    expect(logger.lines.join()).not.toContain(SECRET);
  });

  test('down later: searches use words, soon without waiting, and meaning again after the recovery', async () => {
    const server = await EmbeddingsServer.start();
    const logger = recorder();
    const { tools } = await setUp(embeddingsOf(server), logger);
    await findsByMeaning(tools);
    await server.stop();
    for (let time = 0; time < 10; time++) expect(await ids(tools, `invoice ${time}`)).toEqual(['kit__chase']);
    expect(logger.lines.filter((line) => line.includes('cannot embed a query'))).toHaveLength(1);
    await server.start();
    let time = 0;
    await vi.waitFor(async () => expect((await ids(tools, `wagen ${++time}`))[0]).toBe('kit__wash'), {
      timeout: 30_000,
    });
  });

  test('slow: a search waits for the deadline, then uses words; a late vector serves the next search', async () => {
    const server = await EmbeddingsServer.start();
    const { tools } = await setUp(embeddingsOf(server, { deadlineMs: 50 }));
    await vi.waitFor(() => expect(server.texts.filter((text) => text.startsWith('kit'))).toHaveLength(3));
    await findsByMeaning(tools);
    const held: (() => void)[] = [];
    server.behaviour = (_response, _request, answer) => void held.push(answer);
    expect(await ids(tools, 'a wagen or an invoice')).toEqual(['kit__chase']);
    expect(held).toHaveLength(1);
    held[0]!();
    await vi.waitFor(async () => expect(await ids(tools, 'a wagen or an invoice')).toContain('kit__wash'));
  });

  test('hanging: after a few searches no search waits for it any more', async () => {
    const server = await EmbeddingsServer.start();
    const logger = recorder();
    const { tools } = await setUp(embeddingsOf(server, { deadlineMs: 100 }), logger);
    await findsByMeaning(tools);
    const asked: string[] = [];
    server.behaviour = (_response, { input }) => void asked.push(...input);
    for (let time = 0; time < 20; time++) expect(await ids(tools, `invoice ${time}`)).toEqual(['kit__chase']);
    expect(asked.length).toBeLessThan(10);
    expect(logger.lines.filter((line) => line.includes('too late'))).toHaveLength(1);
    expect(logger.lines.join()).not.toContain('invoice');
  });

  test('busy: Retry-After is kept, then all is embedded', async () => {
    const server = await EmbeddingsServer.start();
    let refusedAt = 0;
    let askedAgainAt = 0;
    server.behaviour = (response, _request, answer) => {
      if (refusedAt === 0) {
        refusedAt = performance.now();
        return sendJson(response, { error: { message: 'slow down' } }, 429, { 'retry-after': '2' });
      }
      askedAgainAt ||= performance.now();
      answer();
    };
    const { tools } = await setUp(embeddingsOf(server));
    await findsByMeaning(tools);
    expect(askedAgainAt - refusedAt).toBeGreaterThan(1_900);
  });

  test('crash during an answer: the batch is requested again', async () => {
    const server = await EmbeddingsServer.start();
    server.behaviour = (response, _request, answer) => {
      if (server.requests.length > 1) return answer();
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"data": [{"index": 0, "embedding": [0.1,');
      setImmediate(() => response.destroy());
    };
    const { tools } = await setUp(embeddingsOf(server));
    await findsByMeaning(tools);
  });

  test.each([
    ['vectors of different sizes', { data: [1, 2, 3].map((size, index) => ({ index, embedding: Array(size).fill(1) })) }, 'another size'],
    ['too few vectors', { data: [{ index: 0, embedding: [1, 2] }] }, 'another number of vectors'],
    ['no numbers', { data: [0, 1, 2].map((index) => ({ index, embedding: [null, 'x'] })) }, 'no numbers'],
    ['only zeros', { data: [0, 1, 2].map((index) => ({ index, embedding: [0, 0] })) }, 'only zeros'],
    ['indexes out of range', { data: [0, 1, 2].map((index) => ({ index: 1e9 * index, embedding: [1, 2] })) }, 'no numbers'],
    ['something else', { embeddings: [[1, 2]] }, 'not an embedding server'],
    ['null', null, 'not an embedding server'],
    ['items that are none', { data: [null, 1, 'x'] }, 'no numbers'],
  ])('an answer with %s is logged once, and search continues by words', async (_, body, said) => {
    const server = await EmbeddingsServer.start();
    const logger = recorder();
    server.behaviour = (response) => sendJson(response, body);
    const { tools } = await setUp(embeddingsOf(server), logger);
    await vi.waitFor(() => expect(logger.lines.join('\n')).toContain(said));
    expect(await ids(tools, 'invoice')).toEqual(['kit__chase']);
    expect(await ids(tools, 'fahrzeug')).toEqual([]);
    expect(logger.lines).toHaveLength(1);
  });

  test.each([
    ['a page of HTML', 200, '<html>Welcome</html>', 'not an embedding server'],
    ['an endless answer', 200, 'x'.repeat(3 * 256 * 1024 + 1), 'not an embedding server'],
    ['a refusal of the key', 401, `{"error": {"message": "wrong key ${SECRET}"}}`, 'refuses the key'],
    ['an unknown model', 404, `{"error": {"message": "no model words; ${SECRET}"}}`, 'no model words; [key]'],
    ['a redirect', 307, '', 'does not have this address'],
    ['a refusal of the texts', 400, '{"error": "too long"}', 'too long'],
    ['an error', 500, 'oops', 'fails: see its own log'],
  ])('%s is logged with the next step, without the key', async (_, status, text, said) => {
    const server = await EmbeddingsServer.start();
    const logger = recorder();
    server.behaviour = (response) => response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(text);
    const { tools } = await setUp(embeddingsOf(server, { apiKey: SECRET }), logger);
    await vi.waitFor(() => expect(logger.lines.join('\n')).toContain(said));
    expect(await ids(tools, 'invoice')).toEqual(['kit__chase']);
    expect(logger.lines.join()).not.toContain(SECRET);
  });

  test('another size than before is refused, for queries too, which go on by words', async () => {
    const server = await EmbeddingsServer.start();
    const logger = recorder();
    const { tools } = await setUp(embeddingsOf(server), logger);
    await findsByMeaning(tools);
    server.behaviour = (response, { input }) =>
      sendJson(response, { data: input.map((text, index) => ({ index, embedding: embed(text, 65) })) });
    expect(await ids(tools, 'invoice now')).toEqual(['kit__chase']);
    expect(logger.lines.join()).toContain('another size');
    expect(logger.lines.join()).not.toContain('invoice now');
  });

  test('two vector sizes at once, as from a server between two models: one size is used, and work continues', async () => {
    const server = await EmbeddingsServer.start();
    const logger = recorder();
    const sizes = [64, 256];
    server.behaviour = async (response, { input }) => {
      const size = sizes.shift() ?? 64;
      await vi.waitFor(() => expect(sizes).toEqual([]));
      sendJson(response, { data: input.map((text, index) => ({ index, embedding: embed(text, size) })) });
    };
    const service = await startService({ embeddings: embeddingsOf(server), logger });
    await service.toolkit('kit', (toolkit) => {
      define(toolkit);
      for (let i = 0; i < 61; i++) toolkit.action({ action: `more_${i}`, actionDescription: `Counts ${i} things` }, () => i);
    });
    await vi.waitFor(() => expect(logger.lines.join()).toContain('another size'));
    const before = server.requests.length;
    await vi.waitFor(() => expect(server.requests.length).toBeGreaterThan(before));
    expect(logger.lines.join()).not.toContain('until the service restarts');
  });

  test('a text that the server cannot take holds up no other, and its action is found by words', async () => {
    const server = await EmbeddingsServer.start();
    server.behaviour = (response, { input }, answer) =>
      input.some((text) => text.includes('invoice')) ? sendJson(response, { error: 'no invoices' }, 400) : answer();
    const { service, tools } = await setUp(embeddingsOf(server));
    await service.toolkit('late', (toolkit) => toolkit.action({ action: 'heal', actionDescription: 'Finds a physician' }, () => 'done'));
    await findsByMeaning(tools, 'arzt', 'late__heal');
    await findsByMeaning(tools);
    expect((await ids(tools, 'invoice'))[0]).toBe('kit__chase');
  });

  test('a service that closes while the server hangs closes at once, without a log line', async () => {
    const server = await EmbeddingsServer.start();
    const logger = recorder();
    server.behaviour = () => {};
    const service = await createService({ port: 0, embeddings: embeddingsOf(server), logger });
    const { key } = await service.keys.create({ kind: 'toolkit', name: 'kit' });
    await runToolkit(service.url, key, define);
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    const before = performance.now();
    await service.close();
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(logger.lines).toEqual([]);
  });
});

describe('a model of the AI SDK', () => {
  test('of a provider, over the wire', async () => {
    const server = await EmbeddingsServer.start();
    const provider = createOpenAICompatible({ name: 'local', baseURL: server.url, apiKey: SECRET });
    const { tools } = await setUp({ model: provider.embeddingModel('words'), deadlineMs: 5_000 });
    await findsByMeaning(tools);
    expect(server.requests[0]).toMatchObject({ headers: { authorization: `Bearer ${SECRET}` } });
  });

  test('of a provider whose server rejects: Retry-After is obeyed, and no data of the call is logged', async () => {
    const server = await EmbeddingsServer.start();
    const logger = recorder();
    const provider = createOpenAICompatible({ name: 'local', baseURL: server.url, apiKey: SECRET });
    server.behaviour = (response, _request, answer) =>
      server.requests.length === 1 ? sendJson(response, { error: { message: `no ${SECRET}` } }, 429, { 'retry-after': '1' }) : answer();
    const { tools } = await setUp({ model: provider.embeddingModel('words'), deadlineMs: 5_000 }, logger);
    await findsByMeaning(tools);
    expect(logger.lines).toEqual([expect.stringMatching(/at its limit of calls.*"status":429.*"retryAfterMs":1000/)]);
    expect(logger.lines.join()).not.toContain(SECRET);
  });

  test.each([
    ['v3', MockEmbeddingModelV3],
    ['v4', MockEmbeddingModelV4],
  ])('of specification %s, with its own limits', async (_, Model) => {
    let running = 0;
    let most = 0;
    const model = new Model({
      modelId: 'mock',
      maxEmbeddingsPerCall: 2,
      supportsParallelCalls: false,
      doEmbed: async ({ values }: { values: string[] }) => {
        const isBatch = values[0]?.startsWith('kit');
        if (isBatch) most = Math.max(most, ++running);
        await new Promise(setImmediate);
        if (isBatch) running--;
        return { embeddings: values.map((text) => embed(text, 64)), warnings: [] };
      },
    });
    const { tools } = await setUp({ model, deadlineMs: 5_000 });
    await findsByMeaning(tools);
    expect(model.doEmbedCalls.slice(0, 2).map(({ values }) => values.length)).toEqual([2, 1]);
    expect(most).toBe(1);
  });

  test('that throws anything and never answers a query does not stop the search', async () => {
    const logger = recorder();
    const model = new MockEmbeddingModelV4({
      doEmbed: () => {
        throw null;
      },
    });
    const { tools } = await setUp({ model, deadlineMs: 50 }, logger);
    expect(await ids(tools, 'invoice')).toEqual(['kit__chase']);
    await vi.waitFor(() => expect(logger.lines.join()).toContain('cannot be reached'));
  });
});

describe('options', () => {
  const url = 'http://localhost:1/v1';
  test.each<[string, object, RegExp]>([
    ['no url', { model: 'words' }, /embeddings\.url must be the base URL/],
    ['no URL at all', { url: 'localhost', model: 'words' }, /embeddings\.url must be the base URL/],
    ['another protocol', { url: 'file:///etc/passwd', model: 'words' }, /embeddings\.url must be the base URL/],
    ['a key in the URL', { url: `http://me:${SECRET}@localhost/v1`, model: 'words' }, /without credentials/],
    ['a key in the query', { url: `http://localhost/v1?key=${SECRET}`, model: 'words' }, /without credentials/],
    ['an empty model', { url, model: ' ' }, /embeddings\.model is empty/],
    ['no model', { url }, /embeddings\.model must be/],
    ['a model that is none', { model: {} }, /embeddings\.model must be/],
    ['a key with a line end', { url, model: 'words', apiKey: `${SECRET}\n` }, /embeddings\.apiKey/],
    ['an AI SDK model with a url', { url, model: new MockEmbeddingModelV4() }, /go with a model by name/],
    ['no dimensions', { url, model: 'words', dimensions: 0 }, /embeddings\.dimensions must be a whole number/],
    ['no deadline', { url, model: 'words', deadlineMs: Number.NaN }, /embeddings\.deadlineMs must be a whole number/],
  ])('%s is refused with what to write, and without the key', async (_, embeddings, said) => {
    const error = await createService({ port: 0, embeddings: embeddings as EmbeddingsOptions }).then(
      () => expect.unreachable('it started'),
      (reason: Error) => reason,
    );
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringMatching(said) });
    expect(error.message).not.toContain(SECRET);
  });

  test('the address of the endpoint itself is as good as its base', async () => {
    const server = await EmbeddingsServer.start();
    const { tools } = await setUp(embeddingsOf(server, { url: `${server.url}/embeddings` }));
    await findsByMeaning(tools);
    expect(server.requests[0]!.path).toBe('/v1/embeddings');
  });
});
