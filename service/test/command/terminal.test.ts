// @module-tag script
/** The built command on a real terminal, a pseudo-terminal of `script`: lists fit its window, progress stays on its line. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { textWidth } from '#sdk/cli/text-width';
import { locateProgram } from '../../../scripts/programs';
import { makeFolder } from '../../../test/support/folder';
import { startProcess } from '../../../test/support/processes';
import { startService } from '../../../test/support/service';
import { programOf, runCommand } from '../support/command';

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** The output on a terminal, in order: stdout and stderr together. */
async function onTerminal(
  columns: number,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; seen: string }> {
  const line = `stty cols ${columns} rows 24 && exec ${[process.execPath, programOf(args), ...args].map(quoted).join(' ')}`;
  const { code, stdout } = await startProcess(locateProgram('script'), ['--quiet', '--return', '--command', line, '/dev/null'], {
    env: { NO_COLOR: '1', ...env },
    // `script` ends with its stdin.
    keepsInput: true,
  }).ended;
  return { code, seen: stdout.replaceAll('\r\n', '\n') };
}

test('search is a list within the window, invoke is text with its progress on one line that is cleared at the end', async () => {
  const service = await startService();
  await service.toolkit('tokyo', (toolkit) => {
    toolkit.action(
      { action: 'today', actionDescription: '東京の今日の天気：気温と空模様、降水確率、風速と湿度、日の出と日の入り' },
      (ctx) => {
        ctx.progress({ progress: 1, total: 4, message: '気象庁に問い合わせ中' });
        ctx.image(new Uint8Array(182_000), 'image/png');
        return '晴れ';
      },
    );
  });
  const { key } = await service.keys.create({ kind: 'agent', name: 'me' });
  const env = { SVC_BASE_URL: service.url, SVC_AGENT_API_KEY: key };

  const found = await onTerminal(50, ['search', '天気'], env);
  expect(found.code).toBe(0);
  const [head, line = ''] = found.seen.split('\n');
  expect(head).toBe('id            price  description');
  expect(line).toMatch(/^tokyo__today {2}free {3}東京の.*…$/);
  expect(textWidth(line)).toBeLessThanOrEqual(50);

  const { code, seen } = await onTerminal(50, ['invoke', 'tokyo__today'], env);
  expect(code).toBe(0);
  expect(seen).toBe('\r\u001b[K1 of 4  気象庁に問い合わせ中\r\u001b[K晴れ\n[image/png, 182 kB]\n');
});

test('export shows its progress on a terminal, and only its end is left there', async () => {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const data = join(path, 'data');
  await runCommand(['keys', 'create', '--kind', 'agent', '--name', 'a', '--data', data]);
  const { code, seen } = await onTerminal(80, ['export', join(path, 'all.jsonl'), '--data', data]);
  expect(code).toBe(0);
  expect(seen.split('\r\u001b[K')).toEqual([
    '',
    expect.stringMatching(/^Exported \d+ rows$/),
    expect.stringMatching(/^Exported to .*all\.jsonl: /),
  ]);
});
