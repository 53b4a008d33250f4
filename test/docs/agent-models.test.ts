/** docs/agent/models.md against the code, and its function for the SDK of Anthropic on the built package. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFakeTelegram } from 'svc-sdk/agent/testing';
import { expect, onTestFinished, test } from 'vitest';
import { PROVIDERS } from '../../src/agent/model/providers';
import { startExampleStage } from '../support/example';
import { makeFolder } from '../support/folder';
import { codeBlocks, tableRows } from '../support/markdown';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test('the page has every provider with the variable of its key and its address', () => {
  const cells = tableRows('docs/agent/models.md').map((row) => row.map((cell) => cell.replaceAll('`', '')));
  const real = Object.entries(PROVIDERS).map(([name, { keyVariable = 'none', baseUrl }]) => [name, keyVariable, baseUrl]);
  expect(cells).toEqual(real);
});

test('the function for the SDK of Anthropic answers in a chat', async () => {
  const stage = await startExampleStage();
  const telegram = await startFakeTelegram();
  onTestFinished(() => telegram.close());
  const project = makeProject();
  const [block] = codeBlocks('docs/agent/models.md').filter(({ file }) => file === 'claude.ts');
  writeFileSync(join(project, 'claude.ts'), block?.text ?? '');
  writeFileSync(
    join(project, 'agent.ts'),
    `import { Agent } from 'svc-sdk/agent';
    import { TelegramClient } from 'svc-sdk/agent/telegram';
    import { askClaude } from './claude.ts';
    await new Agent({ model: askClaude, clients: [new TelegramClient(${JSON.stringify(telegram.clientOptions)})] }).run();`,
  );
  const agent = stage.start(join(project, 'agent.ts'), [], { cwd: project });
  await telegram.say({ text: 'What is the weather in Rome?' });
  await expect.poll(() => telegram.sent.at(-1)?.text).toBe('Rome: 21 degrees');
  agent.kill('SIGTERM');
  expect(await agent.ended).toEqual({ code: 0, stdout: '', stderr: '' });
});

/** A folder with the packages of this repository, and with this one as `svc-sdk`. */
function makeProject(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const modules = join(path, 'node_modules');
  mkdirSync(modules);
  symlinkSync(ROOT, join(modules, 'svc-sdk'));
  symlinkSync(join(ROOT, 'node_modules/@anthropic-ai'), join(modules, '@anthropic-ai'));
  writeFileSync(join(path, 'package.json'), '{"type":"module"}');
  return path;
}
