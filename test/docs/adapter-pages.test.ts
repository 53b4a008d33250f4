/** The first program of each adapter's page, pasted into a file: it prints the model's answer. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { FRAMEWORKS } from '../../scripts/frameworks.ts';
import { startExampleStage } from '../support/example';
import { makeFolder } from '../support/folder';
import { understandLlamaIndex } from '../support/llamaindex';
import { codeBlocks } from '../support/markdown';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The question of every page, and one that the scripted model understands. */
const QUESTIONS = ['What time is it in Tokyo?', 'What is the weather in Rome?'] as const;

const RUN_HERE = FRAMEWORKS.filter(({ entry, byHand }) => entry !== 'mcp' && !byHand).map(({ entry }) => entry);

test.each(RUN_HERE)('docs/adapters/%s.md', async (entry) => {
  const [block] = codeBlocks(`docs/adapters/${entry}.md`).filter(({ language }) => language === 'ts');
  expect(block).toMatchObject({ under: 'Use', text: expect.stringContaining(QUESTIONS[0]) });
  const stage = await startExampleStage(entry === 'llamaindex' ? understandLlamaIndex : undefined);
  const program = join(projectFolder(), 'page.ts');
  writeFileSync(program, (block?.text ?? '').replace(...QUESTIONS));
  expect(await stage.start(program, []).ended).toEqual({ code: 0, stdout: 'Rome: 21 degrees\n', stderr: '' });
});

test('docs/adapters.md: tools with zod schemas', async () => {
  const page = codeBlocks('docs/adapters.md').filter(({ language }) => language === 'ts');
  const block = page.find(({ text }) => text.includes('fromJSONSchema'));
  const stage = await startExampleStage();
  const program = join(projectFolder(), 'page.ts');
  const imports = "import type { AgentTool } from 'svc-sdk/agent-tool';\n";
  writeFileSync(program, imports + block?.text.replace('time in a city', 'weather in a city'));
  const { code, stdout, stderr } = await stage.start(program, []).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ actions: [expect.objectContaining({ action: 'weather__today' })] });
});

/** A folder that finds this package and, in the folder above, its frameworks. */
function projectFolder(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const project = join(path, 'project');
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  symlinkSync(ROOT, join(project, 'node_modules/svc-sdk'));
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  return project;
}
