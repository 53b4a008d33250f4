import { Command } from 'commander';
import { expect, onTestFinished, test, vi } from 'vitest';
import { allowedOriginOption } from '../../../cli/allowed-origin';

function originsOf(...args: string[]): unknown {
  return new Command().exitOverride().addOption(allowedOriginOption()).parse(args, { from: 'user' }).opts().allowedOrigin;
}

test('origins are read from several options, from commas, or from the environment, which options override', () => {
  const [one, two] = ['https://one.example', 'http://localhost:5173'];
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(originsOf()).toBe(undefined);
  expect(originsOf('--allowed-origin', one, '--allowed-origin', two)).toEqual([one, two]);
  vi.stubEnv('SVC_ALLOWED_ORIGINS', ` ${one}, ${two} `);
  expect(originsOf()).toEqual([one, two]);
  expect(originsOf('--allowed-origin', two)).toEqual([two]);
  vi.stubEnv('SVC_ALLOWED_ORIGINS', '');
  expect(originsOf()).toEqual([]);
});
