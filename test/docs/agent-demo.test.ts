/** `npm run agent:demo` for real, on the built package. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../support/folder';
import { startProcess } from '../support/processes';

const DEMO = fileURLToPath(new URL('../../examples/agent/demo.ts', import.meta.url));

// Each test starts a service, six toolkits and a model.
describe('the demo of the agent', () => {
  /** Runs with a separate directory for temporary files, to check that none is left. */
  async function chat(lines: string[]) {
    const { path: directory, remove } = makeFolder();
    onTestFinished(remove);
    const options = { input: lines.map((line) => `${line}\n`).join(''), env: { TMPDIR: directory, NO_COLOR: '1' } };
    const demo = startProcess(process.execPath, [DEMO], options);
    onTestFinished(() => demo.kill('SIGKILL'));
    const { code, stdout, stderr } = await demo.ended;
    expect({ code, stderr, left: readdirSync(directory) }).toEqual({ code: 0, stderr: '', left: [] });
    return stdout;
  }

  test('answers each line of a pipe by real searches and calls, and ends with the pipe', async () => {
    const printed = await chat(['What time is it in Tokyo?', 'Draw a bar chart: apples 3, pears 5.']);
    expect(printed).toMatch(
      /you> What time is it in Tokyo\?\n {2}→ search_services .*\n {2}← .*dates__current_time.*\n {2}→ invoke_service .*Tokyo.*\n {2}← .*\n\nagent> It is \d\d:\d\d on \w+day\.\n/,
    );
    expect(printed).toMatch(/\[an image of \d+ bytes\]\n\nagent> Here is the chart, with 2 bars\.\n$/);
  });

  test('asks before it deletes, and deletes only after a yes', async () => {
    const printed = await chat(['Note: buy tea', 'Delete all my notes.', 'no', 'Delete all my notes.', 'yes']);
    const question = 'agent> May I do this?\nnotes__delete_all_notes {}\nAnswer yes or no.\n';
    expect(printed.split(question)).toHaveLength(3);
    expect(printed).toMatch(/you> no\n[\s\S]*NOT_APPROVED[\s\S]*you> yes\n[\s\S]*agent> Deleted notes: 1\.\n$/);
  });

  test('offers only what the scripted model can answer', async () => {
    const offered = (await chat([])).split('\n').flatMap((line) => /^ {2}(\S.*)$/.exec(line)?.[1] ?? []);
    const printed = await chat(offered.flatMap((line) => (line.startsWith('Delete') ? [line, 'yes'] : [line])));
    expect(offered.length).toBeGreaterThan(5);
    expect(printed.match(/^agent> /gm)).toHaveLength(offered.length + 1);
    expect(printed).not.toMatch(/I am a script|I cannot|found no action|went wrong/);
  });
});
