/** Search that gets better with use, over real sockets and a real data directory. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tools } from 'svc-sdk';
import { openEvidence, openKeys, type ServiceOptions } from 'svc-service';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { codeBlocks } from '../../../test/support/markdown';
import { startProcess } from '../../../test/support/processes';
import { runToolkit, startService } from '../../../test/support/service';
import { startCommand } from '../support/command';

/** A ranking by words alone lists `alpha` first: equal actions are in the order of their ids. */
const WISH = 'zebra crossing';

function folder(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return path;
}

async function start(options: ServiceOptions = {}) {
  const service = await startService(options);
  const agent = async (name = 'agent') => {
    const { id, key } = await service.keys.create({ kind: 'agent', name });
    return { id, tools: new Tools({ baseUrl: service.url, apiKey: key }) };
  };
  const toolkitKey = (await service.keys.list()).some(({ kind }) => kind === 'toolkit') ? { toolkit: 'roads' } : {};
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'roads', ...toolkitKey });
  const toolkit = await serveRoads(service.url, key);
  /** The toolkit stops first: without its service, stopping takes longer. */
  const end = async () => {
    await toolkit.stop();
    await service.close();
  };
  return { service, agent, end };
}

function serveRoads(url: string, key: string) {
  return runToolkit(url, key, (toolkit) => {
    for (const action of ['alpha', 'beta'])
      toolkit.action({ action, actionDescription: 'Paints a zebra crossing on a street' }, () => action);
    toolkit.action({ action: 'broken', actionDescription: 'Paints a zebra crossing on a street' }, () => {
      throw new Error('out of paint');
    });
    toolkit.action({ action: 'unrelated', actionDescription: 'Counts cars' }, () => 3);
  });
}

const firstFor = async (tools: Tools, query = WISH) => (await tools.search(query)).actions[0]?.action;

async function use(tools: Tools, action = 'roads__beta', query = WISH) {
  await tools.search(query);
  await tools.invoke(action, {});
}

const textOf = (path: string) => readdirSync(path).map((file) => readFileSync(join(path, file), 'latin1'));

test('a used action ranks higher for a similar search of another key, also after a restart', async () => {
  const data = folder();
  const { agent, end } = await start({ data });
  const other = await agent('other');
  expect(await firstFor(other.tools)).toBe('roads__alpha');
  for (const name of ['one', 'two', 'three']) await use((await agent(name)).tools);
  expect(await firstFor(other.tools)).toBe('roads__beta');
  expect(await firstFor(other.tools, 'a zebra crossing, please')).toBe('roads__beta');
  await end();

  const again = await start({ data });
  expect(await firstFor((await again.agent('new')).tools)).toBe('roads__beta');
});

test('calls that no search showed, that failed, or that were answered again, teach nothing', async () => {
  const { agent } = await start();
  const { tools } = await agent();
  await tools.invoke('roads__beta', {});
  await tools.search('cars');
  await tools.invoke('roads__beta', {});
  await tools.search(WISH);
  await tools.invoke('roads__broken', {}).catch(() => {});
  await tools.invoke('roads__broken', { wrong: 1 }).catch(() => {});
  const fresh = (await agent('fresh')).tools;
  expect(await firstFor(fresh)).toBe('roads__alpha');

  const once = { idempotencyKey: 'once' };
  const retrying = (await agent('retrying')).tools;
  await retrying.invoke('roads__beta', {}, once);
  await retrying.search(WISH);
  expect((await retrying.invoke('roads__beta', {}, once)).replayed).toBe(true);
  expect(await firstFor(fresh)).toBe('roads__alpha');
});

describe('many conversations on one key', () => {
  /** Today's weather ranks first by words alone. */
  const QUERY = 'weather in a city';

  async function startWeather() {
    const service = await startService();
    await service.toolkit('weather', (toolkit) => {
      const about = (action: string, actionDescription: string) => toolkit.action({ action, actionDescription }, () => action);
      toolkit.action(
        {
          action: 'today',
          actionDescription: 'Weather of today in a city',
          payloadDescription: { city: { type: 'string', required: true } },
        },
        (_ctx, { city }) => ({ city, celsius: 21, sky: 'clear' }),
      );
      about('slow', 'Weather report that takes long');
      about('delete_station', 'Deletes a weather station');
    });
    await service.toolkit('computer', (toolkit) =>
      toolkit.action({ action: 'reboot', actionDescription: 'Turns the machine off and on' }, () => 'off'),
    );
    const { key } = await service.keys.create({ kind: 'agent', name: 'backend' });
    const conversation = () => new Tools({ baseUrl: service.url, apiKey: key });
    const ranked = async () => (await conversation().search(QUERY)).actions.map(({ action }) => action);
    return { service, key, conversation, ranked };
  }

  test('calls without a search, or after a search of another conversation, change no rank', async () => {
    const { conversation, ranked } = await startWeather();
    const before = await ranked();
    await conversation().invoke('weather__slow', {});
    expect(await ranked()).toEqual(before);
    for (let time = 0; time < 5; time++) {
      await ranked();
      await conversation().invoke('weather__delete_station', {});
    }
    expect(await ranked()).toEqual(before);
  });

  test('the search that a call names must be of its key and must have shown its action', async () => {
    const { service, key, ranked } = await startWeather();
    const before = await ranked();
    const request = (path: string, body: object, headers: Record<string, string>) =>
      fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const own = { authorization: `Bearer ${key}` };
    const other = { authorization: `Bearer ${(await service.keys.create({ kind: 'agent', name: 'other' })).key}` };
    const searchId = (await request('/v1/search', { query: QUERY }, own)).headers.get('svc-search-id') ?? '';
    expect(searchId).not.toBe('');
    const call = async (action: string, headers: Record<string, string>) =>
      expect((await request('/v1/invoke', { action, payload: {} }, headers)).status).toBe(200);
    await call('weather__slow', { ...other, 'svc-search-id': searchId });
    await call('computer__reboot', { ...own, 'svc-search-id': searchId });
    await call('weather__slow', { ...own, 'svc-search-id': 'x'.repeat(1_000) });
    await call('weather__slow', { ...own, 'svc-search-id': `${searchId}0` });
    expect(await ranked()).toEqual(before);
    await call('weather__slow', { ...own, 'svc-search-id': searchId });
    expect((await ranked())[0]).toBe('weather__slow');
  });

  test('the same search has the same answer, to the byte, for any id', async () => {
    const { service, key } = await startWeather();
    const search = async () => {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await fetch(`${service.url}/v1/search`, { method: 'POST', headers, body: JSON.stringify({ query: QUERY }) });
      return { id: answer.headers.get('svc-search-id'), body: await answer.text() };
    };
    const [one, other] = [await search(), await search()];
    expect(other.body).toBe(one.body);
    expect(other.id).not.toBe(one.id);
    expect(one.body).not.toContain(one.id);
  });

  test('the program without a model of docs/tools.md gives the same answer after a day of use', async () => {
    const { service, key, conversation } = await startWeather();
    const program = codeBlocks('docs/tools.md').find(({ file }) => file === 'without-a-model.mjs')?.text ?? '';
    const env = { SVC_BASE_URL: service.url, SVC_AGENT_API_KEY: key, NO_COLOR: '1' };
    const run = () => startProcess(process.execPath, ['--input-type=module', '--eval', program], { env }).ended;
    const first = await run();
    expect(first).toMatchObject({ code: 0, stdout: "{ city: 'Rome', celsius: 21, sky: 'clear' }\n" });

    const backend = conversation();
    for (let hour = 0; hour < 24; hour++) {
      // A job that calls its action without a search.
      await conversation().invoke('weather__slow', {});
      const [user, operator, reader] = [conversation(), conversation(), conversation()];
      const { actions } = await user.search(QUERY);
      await operator.search(hour % 2 ? 'delete a station' : 'remove the weather station of a city');
      await operator.invoke('weather__delete_station', {});
      await user.invoke(actions[0]?.action ?? '', { city: 'Bonn' });
      await reader.search('a long weather report');
      await reader.invoke('weather__slow', {});
      // A single client for all conversations, whose searches cannot be told apart by conversation.
      await backend.search(QUERY);
      await backend.invoke('weather__today', { city: 'Oslo' });
      await backend.invoke(hour % 3 ? 'computer__reboot' : 'weather__slow', {});
    }
    expect(await run()).toEqual(first);
  });

  test('an action that one conversation used for another word of the query ranks behind matching actions', async () => {
    const { conversation, ranked } = await startWeather();
    const odd = conversation();
    await odd.search('weather in a city or machine off');
    await odd.invoke('computer__reboot', {});
    expect((await ranked()).at(-1)).toBe('computer__reboot');
  });
});

test('a search by exact id teaches nothing', async () => {
  const { agent } = await start();
  await use((await agent()).tools, 'roads__beta', 'roads__beta');
  expect(await firstFor((await agent('other')).tools)).toBe('roads__alpha');
});

test('an action that fails repeatedly loses its votes', async () => {
  const { service, agent } = await start();
  let works = true;
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'unsure' });
  await runToolkit(service.url, key, (toolkit) => {
    toolkit.action({ action: 'paint', actionDescription: 'Paints a zebra crossing on a street' }, () => {
      if (!works) throw new Error('out of paint');
      return 'done';
    });
  });
  const agents = await Promise.all(['a', 'b', 'c'].map((name) => agent(name)));
  for (const { tools } of agents) await use(tools, 'unsure__paint');
  const watching = (await agent('watching')).tools;
  expect(await firstFor(watching)).toBe('unsure__paint');
  works = false;
  for (let time = 0; time < 3; time++) for (const { tools } of agents) await use(tools, 'unsure__paint').catch(() => {});
  expect(await firstFor(watching)).not.toBe('unsure__paint');
});

test('the evidence of a revoked key stops to count, that of a rotated one does not', async () => {
  const data = folder();
  const { service, agent } = await start({ data });
  const stored = await openEvidence(data);
  onTestFinished(() => stored.close());
  const [bad, good, watching] = [await agent('bad'), await agent('good'), await agent('watching')];
  await use(good.tools, 'roads__unrelated', 'cars');
  await use(bad.tools);
  await vi.waitFor(async () => expect(await stored.summary()).toMatchObject({ keys: 2 }));
  expect(await firstFor(watching.tools)).toBe('roads__beta');
  await service.keys.rotate(good.id);
  await service.keys.revoke(bad.id);
  await vi.waitFor(async () => expect(await firstFor(watching.tools)).toBe('roads__alpha'));
  await vi.waitFor(async () => expect(await stored.summary()).toMatchObject({ keys: 1 }));
});

test('unless queries may be kept, none of their words reach the disk', async () => {
  for (const learning of ['off', 'hashed', 'text'] as const) {
    const data = folder();
    const { agent, end } = await start({ data, learning });
    await use((await agent()).tools, 'roads__beta', 'zebra for grandmothers');
    const stored = await openEvidence(data);
    onTestFinished(() => stored.close());
    if (learning !== 'off') await vi.waitFor(async () => expect(await stored.summary()).toMatchObject({ records: 1 }));
    await end();
    expect((await stored.summary()).records).toBe(learning === 'off' ? 0 : 1);
    expect(textOf(data).some((text) => text.includes('grandmother'))).toBe(learning === 'text');
  }
});

test('with off, evidence is kept but unused; with hashed, texts are deleted and the rest is kept', async () => {
  const data = folder();
  const first = await start({ data, learning: 'text' });
  await use((await first.agent()).tools);
  await first.end();
  expect(textOf(data).some((text) => text.includes(WISH))).toBe(true);

  const off = await start({ data, learning: 'off' });
  const { tools } = await off.agent();
  expect(await firstFor(tools)).toBe('roads__alpha');
  await off.end();

  const hashed = await start({ data, learning: 'hashed' });
  expect(await firstFor((await hashed.agent()).tools)).toBe('roads__beta');
  await hashed.end();
  const stored = await openEvidence(data);
  onTestFinished(() => stored.close());
  expect(await stored.summary()).toMatchObject({ records: 1, texts: 0 });
  await expect(stored.log()).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('--learning text') });
});

test('with text, past queries are exported as a log for eval:search; clearing evidence affects a running service too', async () => {
  const data = folder();
  const { agent } = await start({ data, learning: 'text' });
  const { tools } = await agent();
  await use(tools, 'roads__beta', '  Zebra\u200b crossing ');
  const stored = await openEvidence(data);
  onTestFinished(() => stored.close());
  await vi.waitFor(async () => expect((await stored.summary()).records).toBe(1));
  expect(await stored.log()).toEqual([
    {
      qid: expect.any(String),
      src: 'catalogue',
      kind: 'agent',
      split: 'log',
      query: 'Zebra crossing',
      relevant: ['roads__beta'],
    },
  ]);
  await stored.clear();
  await vi.waitFor(async () => expect(await firstFor(tools)).toBe('roads__alpha'));
});

test('a wrong setting is an error that lists the settings', async () => {
  await expect(startService({ learning: 'on' as 'off' })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: 'learning must be one of off, hashed, text, not on',
  });
});

test('evidence that was written survives kill -9', async () => {
  const data = folder();
  const keys = await openKeys(data);
  const agents = await Promise.all(['a', 'b', 'c'].map((name) => keys.create({ kind: 'agent', name })));
  const { key } = await keys.create({ kind: 'toolkit', name: 'roads' });
  await keys.close();
  const serve = async (port: number) => {
    const command = startCommand(['serve', '--port', String(port), '--data', data, '--learning', 'hashed']);
    onTestFinished(() => command.kill('SIGKILL'));
    const [, url = ''] = await command.printed(/listens on (http:\S+)/);
    return { url, command };
  };
  const { url, command } = await serve(0);
  await serveRoads(url, key);
  const clients = agents.map((agent) => new Tools({ baseUrl: url, apiKey: agent.key }));
  for (const tools of clients) await use(tools);
  const stored = await openEvidence(data);
  onTestFinished(() => stored.close());
  await vi.waitFor(async () => expect((await stored.summary()).keys).toBe(3));
  command.kill('SIGKILL');
  await command.ended;

  await serve(Number(new URL(url).port));
  const [tools = new Tools()] = clients;
  await vi.waitFor(async () => expect(await firstFor(tools)).toBe('roads__beta'));
});
