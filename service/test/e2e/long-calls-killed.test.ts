/** Calls that go on without their callers, through kill -9 of the only node. */
import { Tools } from 'svc-sdk';
import { openKeys } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { runToolkit } from '../../../test/support/service';
import { startCommand } from '../support/command';
import { Films, LongCaller } from '../support/long-calls';

const PATIENCE = { timeout: 20_000 };

async function setUp() {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const keys = await openKeys(path);
  const agent = await keys.create({ kind: 'agent', name: 'agent' });
  const toolkit = await keys.create({ kind: 'toolkit', name: 'films' });
  await keys.close();
  const serve = async (port: number, ...more: string[]) => {
    const command = startCommand(['serve', '--port', String(port), '--data', path, '--limit', 'takeoverGraceMs=500', ...more]);
    const kill = () => {
      command.kill('SIGKILL');
      return command.ended;
    };
    onTestFinished(async () => void (await kill()));
    const [, url = ''] = await command.printed(/listens on (http:\S+)/);
    return { url, port: Number(new URL(url).port), kill };
  };
  const first = await serve(0);
  return { serve, first, toolkitKey: toolkit.key, caller: new LongCaller(first, agent.key), agentKey: agent.key };
}

test('a call whose handler runs goes on after the restart, and runs once', async () => {
  const { serve, first, toolkitKey, caller } = await setUp();
  const films = new Films();
  await runToolkit(first.url, toolkitKey, films.define);
  const handle = await caller.handle('films__copy', { name: 'one' });
  await vi.waitFor(() => expect(films.runs.get('one')).toBe(1), PATIENCE);
  await first.kill();
  await serve(first.port);
  await vi.waitFor(async () => {
    films.report('one', 60);
    expect(await caller.follow(handle)).toMatchObject({ status: 202, body: { progress: { progress: 60 } } });
  }, PATIENCE);
  films.end('one');
  expect(await caller.follow(handle, 30)).toEqual({ status: 200, body: { invocationId: handle, result: { film: 'one' } } });
  expect(films.runs.get('one')).toBe(1);
});

test('a call that did not begin keeps its payload through the restart, and runs when its toolkit is there', async () => {
  const { serve, first, toolkitKey, caller, agentKey } = await setUp();
  const films = new Films();
  await (await runToolkit(first.url, toolkitKey, films.define)).stop();
  const handle = await caller.handle('films__render', { name: 'one', size: 12_345_678_901_234_567_890n.toString() });
  await first.kill();
  await serve(first.port);
  expect(await caller.follow(handle)).toMatchObject({ status: 202 });
  await runToolkit(first.url, toolkitKey, films.define);
  await vi.waitFor(() => expect(films.runs.get('one')).toBe(1), PATIENCE);
  films.end('one');
  expect(await caller.follow(handle, 30)).toMatchObject({ status: 200, body: { invocationId: handle } });
  expect(await new Tools({ baseUrl: first.url, apiKey: agentKey }).result(handle)).toMatchObject({ result: { film: 'one' } });
});

test('a process that died with the node: a repeatable action runs again with the stored payload, any other is unknown', async () => {
  const { serve, first, toolkitKey, caller } = await setUp();
  const lost = new Films();
  const toolkit = await runToolkit(first.url, toolkitKey, lost.define);
  const copy = await caller.handle('films__copy', { name: 'copied' });
  const render = await caller.handle('films__render', { name: 'rendered' });
  await vi.waitFor(() => expect(lost.runs.size).toBe(2), PATIENCE);
  await first.kill();
  await toolkit.stop({ timeoutMs: 1 });
  await serve(first.port, '--limit', 'reconnectGraceMs=300');
  const films = new Films();
  await runToolkit(first.url, toolkitKey, films.define);
  await vi.waitFor(() => expect(films.runs.get('copied')).toBe(1), PATIENCE);
  films.end('copied');
  expect(await caller.follow(copy, 30)).toMatchObject({ status: 200, body: { result: { film: 'copied' } } });
  expect(await caller.follow(render, 30)).toMatchObject({ body: { code: 'OUTCOME_UNKNOWN' } });
  expect(films.runs.get('rendered')).toBeUndefined();
});
