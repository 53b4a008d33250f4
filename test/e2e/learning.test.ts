/** Search that gets better with use, over real sockets and a real data directory. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tools } from 'svc-sdk';
import { openEvidence, openKeys, type ServiceOptions } from 'svc-sdk/service';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startCommand } from '../support/command';
import { makeFolder } from '../support/folder';
import { runToolkit, startService } from '../support/service';

/** By words alone `alpha` comes first for it: equal ones stand in the order of their ids. */
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
  /** A toolkit whose service is gone takes its time to stop: it goes first. */
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

test('what agents used after a search comes sooner for a similar search of another key, and still does after a restart', async () => {
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

test('a search by exact id teaches nothing', async () => {
  const { agent } = await start();
  await use((await agent()).tools, 'roads__beta', 'roads__beta');
  expect(await firstFor((await agent('other')).tools)).toBe('roads__alpha');
});

test('an action that fails again and again loses what it had', async () => {
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
  await vi.waitFor(async () => expect(await stored.summary()).toMatchObject({ keys: 2 }), { timeout: 5_000 });
  expect(await firstFor(watching.tools)).toBe('roads__beta');
  await service.keys.rotate(good.id);
  await service.keys.revoke(bad.id);
  await vi.waitFor(async () => expect(await firstFor(watching.tools)).toBe('roads__alpha'), { timeout: 5_000 });
  await vi.waitFor(async () => expect(await stored.summary()).toMatchObject({ keys: 1 }), { timeout: 5_000 });
});

test('unless queries may be kept, none of their words reach the disk', async () => {
  for (const learning of ['off', 'hashed', 'text'] as const) {
    const data = folder();
    const { agent, end } = await start({ data, learning });
    await use((await agent()).tools, 'roads__beta', 'zebra for grandmothers');
    const stored = await openEvidence(data);
    onTestFinished(() => stored.close());
    if (learning !== 'off') await vi.waitFor(async () => expect(await stored.summary()).toMatchObject({ records: 1 }), { timeout: 5_000 });
    await end();
    expect((await stored.summary()).records).toBe(learning === 'off' ? 0 : 1);
    expect(textOf(data).some((text) => text.includes('grandmother'))).toBe(learning === 'text');
  }
});

test('with off, what was learned is not used and not lost; with hashed, texts go and the rest stays', async () => {
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

test('with text, past queries come out as a log for eval:search; cleared evidence is gone from a running service too', async () => {
  const data = folder();
  const { agent } = await start({ data, learning: 'text' });
  const { tools } = await agent();
  await use(tools, 'roads__beta', '  Zebra\u200b crossing ');
  const stored = await openEvidence(data);
  onTestFinished(() => stored.close());
  await vi.waitFor(async () => expect((await stored.summary()).records).toBe(1), { timeout: 5_000 });
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
  await vi.waitFor(async () => expect(await firstFor(tools)).toBe('roads__alpha'), { timeout: 5_000 });
});

test('a wrong setting is told with those that there are', async () => {
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
  await vi.waitFor(async () => expect((await stored.summary()).keys).toBe(3), { timeout: 10_000 });
  command.kill('SIGKILL');
  await command.ended;

  await serve(Number(new URL(url).port));
  const [tools = new Tools()] = clients;
  await vi.waitFor(async () => expect(await firstFor(tools)).toBe('roads__beta'), { timeout: 15_000 });
});
