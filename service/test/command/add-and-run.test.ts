/** The path from an empty folder to calls of an agent: `svc-service add`, `run`, `toolkits update` and `approve`, as processes beside a real service. */
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { listening } from '../../../test/support/listening';
import { startService } from '../../../test/support/service';
import { runCommand, startCommand } from '../support/command';

const EVERYTHING = fileURLToPath(new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url));

test('run serves the entry that add wrote; a changed document is held until approve, which run serves at once', async () => {
  const { path: cwd, remove } = makeFolder();
  onTestFinished(remove);
  const service = await startService();
  const keys = await Promise.all(
    ['all', 'pets'].map(async (id) => `${id}=${(await service.keys.create({ kind: 'toolkit', name: id, toolkit: id })).key}`),
  );
  const pets = await startPets();
  const env = { SVC_BASE_URL: service.url, SVC_TOOLKIT_KEYS: keys.join(','), PETS_TOKEN: 'hunter2' };

  await runCommand(['add', 'mcp', 'all', '--yes', '--include', 'echo', '--', process.execPath, EVERYTHING], { cwd });
  await runCommand(
    ['add', 'openapi', 'pets', `${pets.url}/pets.json`, '--yes', '--auth', `bearer \${PETS_TOKEN}`, '--base-url', pets.url],
    { cwd },
  );

  const running = startCommand(['run'], { cwd, env });
  onTestFinished(() => running.kill('SIGKILL'));
  await Promise.all([running.printed(/all {2}online {2}1 action\n/), running.printed(/pets {2}online {2}1 action\n/)]);
  const tools = await service.tools();
  expect((await tools.invoke('all__echo', { message: 'hello' })).result).toBe('Echo: hello');
  // The API echoes its token, and the answer names its variable.
  expect((await tools.invoke('pets__getPet')).result).toEqual({ name: 'Ada', authorization: `Bearer \${PETS_TOKEN}`, isRight: true });

  pets.describe('Gets the pet of the day');
  expect(await runCommand(['toolkits', 'update'], { cwd, env })).toMatchObject({ code: 1 });
  await running.printed(/pets {2}online {2}0 actions; 1 change held; to see and approve: npx svc-service toolkits approve pets\n/);
  expect(await descriptions()).not.toContain('Gets the pet of the day');

  expect(await runCommand(['toolkits', 'approve', 'pets', '--yes'], { cwd, env })).toMatchObject({ code: 0 });
  await vi.waitFor(async () => expect(await descriptions()).toContain('Gets the pet of the day'));
  running.kill('SIGINT');
  expect(await running.ended).toMatchObject({ code: 0 });

  async function descriptions(): Promise<string> {
    return JSON.stringify(await tools.search('pet of the day'));
  }
});

/** An API and its document. */
async function startPets() {
  let summary = 'Gets a pet';
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/pet') {
      const { authorization } = request.headers;
      return response.end(JSON.stringify({ name: 'Ada', authorization, isRight: authorization === 'Bearer hunter2' }));
    }
    const get = { operationId: 'getPet', summary, responses: {} };
    return response.end(JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: { '/pet': { get } } }));
  });
  return {
    url: await listening(server),
    describe(text: string) {
      summary = text;
    },
  };
}
