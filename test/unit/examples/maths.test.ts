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
  ['0.1 + 0.2', { text: '0.3', value: 0.3 }],
  ['26.2 miles / (9.5 km/hour) to minutes', { value: 266.304080842, unit: 'minutes' }],
  [
    '[1, 2; 3, 4] * 2',
    {
      value: [
        [2, 4],
        [6, 8],
      ],
    },
  ],
  ['sqrt(-4)', { text: '2i' }],
  ['5 / 0', { text: 'Infinity' }],
  ['20 degC to degF', { value: 68 }],
])('%s is evaluated', async (expression, result) => {
  expect(await evaluate(expression)).toMatchObject(result);
});

test('names get their values from the payload and a formula leaves nothing behind', async () => {
  expect(await evaluate('x^2 + y', { x: 3, y: 1 })).toMatchObject({ value: 10 });
  await evaluate('kept = 5');
  await expect(evaluate('kept')).rejects.toMatchObject({ code: 'CANNOT_EVALUATE' });
});

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

test('units are converted, signs and British spelling included', async () => {
  expect(await box.run('convertUnits', { value: 425, from: '°F', to: '°C' })).toMatchObject({ value: 218.333333333 });
  expect(await box.run('convertUnits', { value: 60, from: 'mph', to: 'kilometres/hour' })).toMatchObject({ value: 96.56064 });
  await expect(box.run('convertUnits', { value: 1, from: 'parsnip', to: 'm' })).rejects.toMatchObject({ code: 'UNKNOWN_UNIT' });
  await expect(box.run('convertUnits', { value: 1, from: '5 km', to: 'm' })).rejects.toMatchObject({ code: 'UNKNOWN_UNIT' });
  await expect(box.run('convertUnits', { value: 1, from: 'm', to: 's' })).rejects.toMatchObject({ code: 'UNITS_DO_NOT_MATCH' });
});

test('linear equations are solved, and others refused with the reason', async () => {
  const solve = (...equations: string[]) => box.run('solveLinearEquations', { equations });
  expect(await solve('2x + 3y = 7', 'x - y = 1')).toEqual({ solution: { x: 2, y: 1 } });
  await expect(solve('x*y = 7', 'x - y = 1')).rejects.toMatchObject({ code: 'NOT_LINEAR' });
  await expect(solve('x + y = 7', '2x + 2y = 1')).rejects.toMatchObject({ code: 'NO_UNIQUE_SOLUTION' });
  await expect(solve('x + y = 7')).rejects.toMatchObject({ code: 'WRONG_NUMBER' });
  await expect(solve('x')).rejects.toMatchObject({ code: 'NO_EQUATION' });
});

test('numbers are described', async () => {
  expect(await box.run('describeNumbers', { numbers: [1, 2, 3, 4, 10] })).toMatchObject({ mean: 4, median: 3, max: 10 });
});
