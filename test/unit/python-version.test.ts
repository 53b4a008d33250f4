import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { version } from '../../package.json';

test.each([
  ['pyproject.toml', /^version = "(.+)"$/m],
  ['src/svc/version.py', /^__version__ = "(.+)"$/m],
])('python/%s has the version of package.json', (file, pattern) => {
  expect(pattern.exec(readFileSync(new URL(`../../python/${file}`, import.meta.url), 'utf8'))?.[1]).toBe(version);
});
