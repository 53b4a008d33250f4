import { Command } from 'commander';
import { expect, onTestFinished, test, vi } from 'vitest';
import { currencyOf, currencyOption } from '../../../cli/currency';

function currencyOfArgs(...args: string[]): string | undefined {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  return currencyOf(command.addOption(currencyOption()).parse(args, { from: 'user' }).opts());
}

test('the currency is read from the option or the environment, and an empty variable is unset', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(currencyOfArgs()).toBe(undefined);
  expect(currencyOfArgs('--currency', 'EUR')).toBe('EUR');
  expect(() => currencyOfArgs('--currency', '')).toThrow('It is empty');
  vi.stubEnv('SVC_CURRENCY', 'credits');
  expect(currencyOfArgs()).toBe('credits');
  expect(currencyOfArgs('--currency', 'EUR')).toBe('EUR');
  vi.stubEnv('SVC_CURRENCY', '');
  expect(currencyOfArgs()).toBe(undefined);
});
