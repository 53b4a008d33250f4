import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isLeftKey, keyName } from '../../../cli/run/key-names';

const FILE = 'shop/toolkits.yaml';
const nameOf = (pid: number | string) => keyName('shop', FILE).replace(`process ${process.pid}`, `process ${pid}`);

test('a key is left when its process is gone, or had the pid of this one', () => {
  expect(isLeftKey(nameOf(spawnSync(process.execPath, ['--version']).pid), FILE)).toBe(true);
  expect(isLeftKey(keyName('shop', FILE), FILE)).toBe(true);
});

test('a key that a run of 0.13 left is found after the upgrade', () => {
  expect(isLeftKey(keyName('shop', FILE).replace('svc-service run', 'svc-sdk run'), FILE)).toBe(true);
});

test.each([
  ['a process that runs', nameOf(process.ppid), FILE],
  ['another file', keyName('shop', FILE), 'other/toolkits.yaml'],
  ['a person', 'shop (svc-service run)', FILE],
])('a key of %s is not', (_, name, file) => expect(isLeftKey(name, file)).toBe(false));
