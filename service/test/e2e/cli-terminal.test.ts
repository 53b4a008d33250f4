/** The output of the commands for people on a terminal, and for programs in a pipe. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { textWidth } from '#sdk/cli/text-width';
import { runInProcess } from '../../../test/support/command-in-process';
import { makeFolder } from '../../../test/support/folder';
import { startService } from '../../../test/support/service';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(181_992)]);
const AUDIO = Buffer.alloc(999, 1);
const LONG = 'Draws numbers as a chart, with bars from left to right and their labels below them, and gives back a picture';

function folder(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return path;
}

async function startShop(): Promise<void> {
  const service = await startService();
  await service.toolkit('shop', (toolkit) => {
    toolkit.action({ action: 'chart', actionDescription: LONG }, (ctx) => {
      ctx.progress({ progress: 1, total: 2, message: 'drawing\nthe bars' });
      ctx.image(PNG, 'image/png');
      ctx.audio(AUDIO, 'audio/wav');
      ctx.link('https://example.com/charts', { title: 'How to\nread it' });
      return { bars: 3, title: '売上\u001b[2J' };
    });
    toolkit.action({ action: 'price', actionDescription: '商品の値段を調べる', payment: { amount: '0.05' } }, () => '12 €\n\u001b[2J');
  });
  const budget = { perCall: '1', perDay: '5' };
  vi.stubEnv('SVC_BASE_URL', service.url);
  vi.stubEnv('SVC_AGENT_API_KEY', (await service.keys.create({ kind: 'agent', name: 'me', budget })).key);
  onTestFinished(() => void vi.unstubAllEnvs());
}

const atTerminal = (...args: string[]) => runInProcess(args, { columns: 80 });

test('search is a list of id, price and a line on a terminal, and JSON in a pipe or with --json', async () => {
  await startShop();
  const { stdout, stderr } = await atTerminal('search', 'draw', 'a', 'chart', '商品');
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^id {11}price {5}description$/);
  expect(lines).toContainEqual(expect.stringMatching(/^shop__chart {2}free {6}Draws numbers as a chart.*…$/));
  expect(lines).toContain('shop__price  0.05 USD  商品の値段を調べる');
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(80);
  expect(stderr).toBe('');
  for (const answer of [
    await runInProcess(['search', 'draw', 'a', 'chart']),
    await runInProcess(['search', 'draw', 'a', 'chart', '--json'], { columns: 80 }),
  ])
    expect(JSON.parse(answer.stdout).actions).toContainEqual(expect.objectContaining({ action: 'shop__chart', description: LONG }));
});

test('a search without results prints that, with the hint', async () => {
  await startShop();
  const { code, stdout, stderr } = await atTerminal('search', 'zebra');
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toMatch(/^No action that is online fits\n.*other or fewer words/);
});

test('invoke prints text, words in place of bytes, and the cost; progress is one line that is cleared', async () => {
  await startShop();
  const { stdout, stderr } = await atTerminal('invoke', 'shop__chart');
  expect(stdout).toBe(
    [
      '{',
      '  "bars": 3,',
      '  "title": "売上\\u001b[2J"',
      '}',
      '[image/png, 182 kB]',
      '[audio/wav, 999 bytes]',
      '[How to\\nread it] https://example.com/charts',
      '',
    ].join('\n'),
  );
  expect(stderr).toBe('\r\u001b[K1 of 2  drawing\\nthe bars\r\u001b[K');
  const paid = await atTerminal('invoke', 'shop__price');
  expect(paid).toEqual({ code: 0, stdout: '12 €\n  \\x1b[2J\n', stderr: 'Charged: 0.05 USD\n' });
});

test('invoke prints the whole answer as JSON in a pipe or with --json, and progress a line of JSON each', async () => {
  await startShop();
  for (const answer of [
    await runInProcess(['invoke', 'shop__chart']),
    await runInProcess(['invoke', 'shop__chart', '--json'], { columns: 80 }),
  ]) {
    const { result, content } = JSON.parse(answer.stdout);
    expect(result).toEqual({ bars: 3, title: '売上\u001b[2J' });
    expect(content[0]).toEqual({ type: 'image', mimeType: 'image/png', data: PNG.toString('base64') });
    expect(JSON.parse(answer.stderr)).toMatchObject({ progress: 1, total: 2 });
  }
});

test('--output writes each media block of a result to a separate file, and never overwrites a file', async () => {
  await startShop();
  const file = join(folder(), 'chart.png');
  const second = file.replace('.png', '-2.png');
  const { stdout, stderr } = await atTerminal('invoke', 'shop__chart', '--output', file);
  expect(stdout).toContain('[image/png, 182 kB]');
  expect(stderr).toContain(`Written: ${file}\nWritten: ${second}\n`);
  expect(readFileSync(file).equals(PNG)).toBe(true);
  expect(readFileSync(second).equals(AUDIO)).toBe(true);

  const again = await atTerminal('invoke', 'shop__chart', '--output', file);
  expect(again).toEqual({
    code: 2,
    stdout: '',
    stderr: `INVALID_REQUEST: ${file} is there already: name another file, or replace it with --force\n`,
  });
  const forced = JSON.parse((await runInProcess(['invoke', 'shop__chart', '--output', file, '--force', '--json'])).stdout);
  expect(forced.files).toEqual([file, file.replace('.png', '-3.png')]);
  expect(forced.content[0]).toEqual({ type: 'image', mimeType: 'image/png', data: '178 KB' });
});

test('--output writes a result without media unchanged, and checks its folder before the call', async () => {
  await startShop();
  const file = join(folder(), 'price.txt');
  const { stdout, stderr } = await atTerminal('invoke', 'shop__price', '--output', file);
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: `Charged: 0.05 USD\nWritten: ${file}\n` });
  expect(readFileSync(file, 'utf8')).toBe('12 €\n\u001b[2J');
  const nowhere = join(file, 'x', 'y.txt');
  const refused = await atTerminal('invoke', 'shop__price', '--output', nowhere);
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('does not exist: make it first') });
});

test('backup, export and import show on one line of a terminal how far they are, and nothing of it in a pipe', async () => {
  const cwd = folder();
  const place = (name: string) => ['--data', join(cwd, name)];
  await runInProcess(['keys', 'create', '--kind', 'agent', '--name', 'a', ...place('data')]);
  const run = (...args: string[]) => atTerminal(...args);
  const shown = [
    await run('backup', join(cwd, 'copy'), ...place('data')),
    await run('export', join(cwd, 'all.jsonl'), ...place('data')),
    await run('import', join(cwd, 'all.jsonl'), ...place('other')),
  ];
  expect(shown.map(({ stderr }) => stderr.split('\r\u001b[K')[1])).toEqual([
    expect.stringMatching(/^Copied \d+%, \d+ rows$/),
    expect.stringMatching(/^Exported \d+ rows$/),
    expect.stringMatching(/^Read 100%, [\d.]+ (bytes|kB)$/),
  ]);
  expect(shown.every(({ code }) => code === 0)).toBe(true);
  for (const args of [
    ['backup', join(cwd, 'copy-2'), ...place('data')],
    ['backup', join(cwd, 'copy-3'), '--json', ...place('data')],
  ])
    expect((await runInProcess(args, args.includes('--json') ? { columns: 80 } : {})).stderr).toBe('');
  expect(existsSync(join(cwd, 'copy-3'))).toBe(true);
});

test('evidence show is a line for each figure on a terminal, and JSON in a pipe', async () => {
  const data = join(folder(), 'data');
  await runInProcess(['keys', 'create', '--kind', 'agent', '--name', 'a', '--data', data]);
  expect((await atTerminal('evidence', 'show', '--data', data)).stdout).toMatch(/^records +0\ntexts +0\nqueries +0\n/);
  expect(JSON.parse((await runInProcess(['evidence', 'show', '--data', data])).stdout)).toMatchObject({ records: 0 });
});

test('a table of a list fits the window', async () => {
  const data = join(folder(), 'data');
  const create = (name: string) => runInProcess(['keys', 'create', '--kind', 'agent', '--name', name, '--data', data]);
  await create('東京オフィスの経理エージェント');
  await create('a long name of an agent that was not shortened');
  for (const columns of [120, 80, 40]) {
    const { stdout } = await runInProcess(['keys', 'list', '--data', data], { columns });
    for (const line of stdout.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(columns);
    expect(stdout.match(/key_[0-9A-Za-z]{16}/g)).toHaveLength(2);
  }
});
