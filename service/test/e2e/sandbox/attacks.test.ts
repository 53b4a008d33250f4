/** Programs against their sandbox, each beside an honest one. */
import { afterAll, expect, test } from 'vitest';
import { silentLogger } from '../../../src/lib/logger';
import { openSandbox } from '../../../src/sandbox/sandbox';
import { resultOf, runnerOf } from '../../support/programs';
import { ATTACKS } from '../../support/sandbox-attacks';

const sandbox = openSandbox({ logger: silentLogger });
const run = runnerOf(sandbox);
afterAll(() => sandbox.close());

const HONEST = 'let sum = 0; for (let i = 0; i < 20; i++) sum += (await tools.shop.get({ i })).data.payload.i; return sum';

test('at least 60 attacks are tried', () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(60);
});

test.each(ATTACKS)('$name', async ({ code, fails, gives }) => {
  const honest = run(HONEST, { id: 'run_honest' });
  const end = await run(code, { limits: { cpuMs: 400, fastCpuMs: 50 } });
  if (fails === undefined) expect(resultOf(end)).toEqual(gives);
  else expect(end).toMatchObject({ status: 'failed', error: { code: fails instanceof RegExp ? expect.stringMatching(fails) : fails } });
  expect(resultOf(await honest)).toBe(190);
  expect(Object.keys(Object.prototype)).toEqual([]);
});
