/**
 * The promises of ARCHITECTURE.md that are kept by all parts together. Promises of a single part are tested in test/unit, under the same
 * numbers.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as library from 'svc-sdk';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../support/folder';
import { readPage } from '../support/markdown';
import { startProcess } from '../support/processes';
import { startService, toolCall } from '../support/service';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('promise 1, the names: what README and ARCHITECTURE.md call by name is there', async () => {
  expect(Object.keys(library).sort()).toEqual([
    'SvcError',
    'Toolkit',
    'Tools',
    'describeAction',
    'describeCall',
    'mayProgramCall',
    'resultType',
    'toMillionths',
    'withJsonSchema',
  ]);
  const { Tools, Toolkit } = library;
  expect(Object.getOwnPropertyNames(Tools.prototype)).toEqual(
    expect.arrayContaining(['getTools', 'callTools', 'definitions', 'callTool', 'search', 'invoke']),
  );
  expect(Object.getOwnPropertyNames(Toolkit.prototype)).toEqual(expect.arrayContaining(['action', 'updateToolkit', 'run', 'stop']));

  const service = await startService();
  await service.toolkit('names', (toolkit) => {
    toolkit.action({ action: 'tell', actionDescription: 'Tells', payloadDescription: 'nothing' }, (ctx) =>
      ctx.result({
        agentId: ctx.agentId,
        invocationId: ctx.invocationId,
        action: ctx.action,
        deadline: ctx.deadline,
        is: ctx.signal.aborted,
      }),
    );
  });
  const { result, invocationId } = await (await service.tools()).invoke('names__tell');
  expect(result).toEqual({
    agentId: expect.stringMatching(/^key_/),
    invocationId,
    action: 'tell',
    deadline: expect.stringMatching(/Z$/),
    is: false,
  });
});

test('promise 2, byte-stable: other processes, places and years give the same two tools', async () => {
  const print = "import('svc-sdk').then(async ({ Tools }) => process.stdout.write(JSON.stringify(await new Tools().getTools())))";
  const environments = [
    {},
    { TZ: 'Asia/Tokyo', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
    { SVC_AGENT_API_KEY: 'svc_agent_any', SVC_BASE_URL: 'http://x' },
  ];
  const outputs = await Promise.all(environments.map((env) => startProcess(process.execPath, ['-e', print], { cwd: root, env }).ended));
  const here = JSON.stringify(await new library.Tools().getTools());
  for (const { stdout, stderr } of outputs) expect({ stdout, stderr }).toEqual({ stdout: here, stderr: '' });
});

test('promise 3, one action id everywhere: search, catalogue, static function, call and error have the same', async () => {
  const service = await startService();
  const id = 'sample-data__list_Tables-2';
  await service.toolkit('Sample Data', (toolkit) => {
    toolkit.action({ action: 'list_Tables-2', actionDescription: 'Lists the tables' }, () => 'listed');
  });
  const tools = await service.tools();
  const { actions } = await tools.search('list tables');
  const [definition] = await tools.getTools({ dynamicTools: false, staticToolkits: ['sample-data'] });
  const catalogue = await (await service.request(`/v1/actions/${id}`)).json();
  expect([actions[0]?.action, definition?.function.name, catalogue.action]).toEqual([id, id, id]);

  const answers = await tools.callTools([toolCall('invoke_service', { action: id, payload: {} }), toolCall(id, {})]);
  expect(answers.map(({ content }) => content)).toEqual(['listed', 'listed']);
  await expect(tools.invoke(`${id}x`)).rejects.toMatchObject({ details: { didYouMean: [id] } });
});

test('promise 8, trust is on the key: no way to write a call leads past its allow list, and the model cannot say who it is', async () => {
  const service = await startService();
  await service.toolkit('open', (toolkit) => {
    toolkit.action({ action: 'whoami', actionDescription: 'Tells who calls' }, (ctx, payload) => ({ agentId: ctx.agentId, payload }));
  });
  let ran = 0;
  await service.toolkit('secret', (toolkit) => {
    toolkit.action({ action: 'whoami', actionDescription: 'Tells who calls' }, () => ran++);
  });
  const tools = await service.tools({}, { allow: { toolkits: ['open'] } });
  const secret = 'secret__whoami';

  const { actions } = await tools.search('who calls');
  expect(actions.map(({ action }) => action)).toEqual(['open__whoami']);
  const attempts = [
    { action: secret, payload: {} },
    { action: secret },
    { payload: { action: secret, payload: {} } },
    { invoke_service: { action: secret, payload: {} } },
    JSON.stringify({ action: secret, payload: {} }),
    JSON.stringify(JSON.stringify({ action: secret, payload: {} })),
    `{"action": "open__whoami", "action": "${secret}", "payload": {}}`,
  ];
  const refused = await tools.callTools([...attempts.map((attempt) => toolCall('invoke_service', attempt)), toolCall(secret, {})]);
  expect(refused.map(({ content }) => JSON.parse(content).error.code)).toEqual(refused.map(() => 'ACTION_NOT_ALLOWED'));
  await expect(tools.getTools({ staticActions: [secret] })).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' });
  expect(ran).toBe(0);

  const claim = { agentId: 'key_somebody', agent_id: 'key_somebody' };
  const { result } = await tools.invoke('open__whoami', claim);
  expect(result).toEqual({ agentId: expect.stringMatching(/^key_\w{16}$/), payload: claim });
  expect(
    JSON.parse((await tools.callTools([toolCall('invoke_service', { action: 'open__whoami', payload: {}, ...claim })]))[0]?.content ?? ''),
  ).not.toMatchObject({
    agentId: 'key_somebody',
  });
});

test('promise 8, limits are on the key: one that is used up says when to come back, and others go on', async () => {
  const service = await startService();
  await service.toolkit('echo', (toolkit) => {
    toolkit.action({ action: 'echo', actionDescription: 'Echoes' }, (_ctx, payload) => payload);
  });
  const [limited, free] = [await service.tools({ timeoutMs: 2_000 }, { callsPerMinute: 2 }), await service.tools()];
  await limited.invoke('echo__echo');
  await limited.invoke('echo__echo');
  await expect(limited.invoke('echo__echo')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) });
  await free.invoke('echo__echo');
});

test('promise 9, silence: nothing is printed and nothing but the service is called, whatever goes wrong', async () => {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const program = join(root, 'test/support/silent-run.mjs');
  const ended = await startProcess(process.execPath, ['--disable-warning=ExperimentalWarning', program, join(path, 'ports.json')], {
    cwd: root,
  }).ended;
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
  const { ports, service } = JSON.parse(readFileSync(join(path, 'ports.json'), 'utf8'));
  expect(ports).toEqual([service]);
});

test('promise 9, no telemetry: the addresses in the built library are those of specifications and of this machine', () => {
  const text = ['index.js', 'index.cjs'].map((name) => readFileSync(join(root, 'dist', name), 'utf8')).join('\n');
  const hosts = new Set([...text.matchAll(/\bhttps?:\/\/([\w.-]+)/g)].map(([, host]) => host));
  // The second is the example of an error message: RFC 2606 keeps it for that.
  expect([...hosts]).toEqual(['127.0.0.1', 'example.com']);
  expect(readPage('README.md')).toContain('Nothing phones home');
});
