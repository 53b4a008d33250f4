/** The promises of examples/README.md: a formula cannot reach the process, and a long one is stopped. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MathTasks } from '../../../examples/toolkits/maths/tasks.ts';
import { TimeBox } from '../../../examples/toolkits/shared/time-box.ts';

const box = new TimeBox<MathTasks>(new URL('../../../examples/toolkits/maths/tasks.ts', import.meta.url), {
  timeoutMs: 700,
  memoryMegabytes: 128,
});
beforeAll(() => box.warmUp());
afterAll(() => box.close());

const evaluate = (expression: string, variables = {}) => box.run('evaluateFormula', { expression, variables });

test.each([
  'import("fs")',
  'createUnit("x")',
  'config({number: "BigNumber"})',
  'map([1], evaluate)',
  'parse("1")',
  'f(x) = x',
  'constructor',
  'toString',
  '"text"',
  '{a: 1}',
  'a.b',
  'random()',
])('%s is not offered', async (expression) => {
  await expect(evaluate(expression)).rejects.toMatchObject({ name: 'Refusal', code: 'NOT_OFFERED' });
});

test('a formula that takes too long or too much memory is stopped, and the next formula works', async () => {
  await expect(evaluate('1:1e9')).rejects.toMatchObject({ code: 'TOO_MUCH_WORK' });
  expect(await evaluate('1 + 1')).toMatchObject({ value: 2 });
});
