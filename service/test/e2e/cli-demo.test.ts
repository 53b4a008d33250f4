import { expect, test } from 'vitest';
import { runInProcess } from '../../../test/support/command-in-process';

test('demo answers the question of the README, by a search and a call that really happened', async () => {
  const { code, stdout, stderr } = await runInProcess(['demo'], { env: {} });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'In Rome it is 21 °C, and the sky is clear.\n' });
  expect(stderr).toMatch(/→ search_services {2}.*\n← .*weather__today[\s\S]*\n→ invoke_service {2}.*Rome.*\n← /);
});

test('demo with a question outside its script reports that', async () => {
  const { stdout } = await runInProcess(['demo', 'Why?', '--json'], { env: {} });
  expect(JSON.parse(stdout)).toMatchObject({ question: 'Why?', answer: expect.stringContaining('I am a script and not a model') });
});
