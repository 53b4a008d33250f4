/** `node test/world.ts`, played by HTTP alone, as a test in another language does. */
import { fileURLToPath } from 'node:url';
import { Agent } from 'svc-sdk/agent';
import { XClient, type XClientOptions } from 'svc-sdk/agent/x';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type RunningProcess, startProcess } from '../../../test/support/processes';
import { storePath } from '../../../test/support/run-agent';

const PROGRAM = fileURLToPath(new URL('../../../test/world.ts', import.meta.url));
const PLATFORMS = ['telegram', 'discord', 'x'] as const;

interface Fake<Options> {
  origin: string;
  clientOptions: Options;
}

interface World extends Record<'telegram' | 'discord', Fake<object>> {
  service: { url: string; recordedUrl: string };
  keys: { agent: string; buyer: string; toolkit: string; admin: string };
  control: string;
  model: { origin: string; baseUrl: string };
  x: Fake<XClientOptions>;
}

async function startWorld(): Promise<{ world: World; program: RunningProcess }> {
  const program = startProcess(process.execPath, [PROGRAM], { keepsInput: true });
  onTestFinished(() => program.kill('SIGKILL'));
  const [line] = await program.printed(/^.*\n/);
  return { world: JSON.parse(line), program };
}

async function post(url: string, body: unknown, key?: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function read(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

async function expectGone({ service, control, model, telegram, discord, x }: World): Promise<void> {
  const addresses = [service.url, service.recordedUrl, control, model.origin, telegram.origin, discord.origin, x.origin];
  for (const address of addresses) await expect(fetch(address), address).rejects.toThrow();
}

test('the service runs the actions of both toolkits, and the admin key makes keys', async () => {
  const { world, program } = await startWorld();
  const { service, keys, control } = world;
  const invoke = async (action: string, payload: object, key = keys.agent) =>
    (await post(`${service.recordedUrl}/v1/invoke`, { action, payload }, key)).json();
  expect(await invoke('vector__echo', { text: 'tea' })).toMatchObject({ result: { text: 'tea' } });
  expect(await invoke('counting__count', { label: 'a' })).toMatchObject({ result: { run: 1 } });
  expect(await invoke('vector__sell', {}, keys.buyer)).toMatchObject({ payment: { charged: '0.03' } });
  expect(await read(`${control}/runs`)).toEqual({ a: 1 });
  expect(await read(`${control}/calls`)).toMatchObject([{ body: { action: 'vector__echo' } }, { body: { payload: { label: 'a' } } }, {}]);
  const passes = invoke('vector__gate', {});
  await vi.waitFor(async () => expect(await read(`${control}/calls`)).toHaveLength(4));
  expect((await post(`${control}/gate`, {})).status).toBe(200);
  expect(await passes).toMatchObject({ result: 'passed' });
  expect((await post(`${service.url}/v1/keys`, { kind: 'agent', name: 'another' }, keys.admin)).status).toBe(201);
  program.endInput();
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  await expectGone(world);
});

test('an agent answers on a fake with faults, by a script and then by counting', async () => {
  const { world, program } = await startWorld();
  const { service, keys, model, x } = world;
  vi.stubEnv('OPENAI_BASE_URL', model.baseUrl);
  onTestFinished(() => void vi.unstubAllEnvs());
  const agent = new Agent({ apiKey: keys.agent, baseUrl: service.url, store: storePath(), clients: [new XClient(x.clientOptions)] });
  agent.setModel('default', 'openai/scripted');
  const over = agent.run();
  onTestFinished(() => agent.stop());

  const tooBusy = { status: 429, headers: { 'retry-after-ms': '1' }, body: { error: { message: 'busy' } } };
  expect((await post(`${model.origin}/script`, [tooBusy, { message: { role: 'assistant', content: 'Hello Ann' } }])).status).toBe(200);
  await post(`${x.origin}/faults`, { on: '/2/tweets', status: 503 });
  await vi.waitFor(async () =>
    expect(await read(`${x.origin}/requests`)).toContainEqual(
      expect.objectContaining({ path: expect.stringMatching(/mentions$/), status: 200 }),
    ),
  );
  await post(`${x.origin}/say`, { text: 'hello' });
  const texts = async () => ((await read(`${x.origin}/sent`)) as { text: string }[]).map(({ text }) => text);
  await vi.waitFor(async () => expect(await texts()).toEqual(['Hello Ann']));
  expect(await read(`${model.origin}/requests`)).toHaveLength(2);
  expect(await read(`${x.origin}/requests`)).toContainEqual({ method: 'POST', path: '/2/tweets', status: 503 });

  await post(`${x.origin}/say`, { text: 'count 2,1 as a7' });
  await vi.waitFor(async () => expect(await texts()).toEqual(['Hello Ann', 'Counted a7']));
  expect(await read(`${world.control}/runs`)).toEqual({ 'a7/0/0': 1, 'a7/0/1': 1, 'a7/1/0': 1 });
  await agent.stop();
  await over;
  program.kill('SIGTERM');
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  await expectGone(world);
});

test('each fake accepts control requests, and rejects unsupported ones', async () => {
  const { world, program } = await startWorld();
  for (const platform of PLATFORMS) {
    const { origin } = world[platform];
    expect(await (await post(`${origin}/say`, { text: 'hello', chatId: '55' })).json()).toEqual({ messageId: expect.any(String) });
    expect((await post(`${origin}/press`, { chatId: '55', button: 'yes' })).status).toBe(400);
    expect(await read(`${origin}/sent`)).toEqual([]);
  }
  expect((await post(`${world.model.origin}/script`, {})).status).toBe(400);
  program.endInput();
  await program.ended;
});
