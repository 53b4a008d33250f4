import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { version } from '../../package.json';

test.each([
  ['python/pyproject.toml', /^version = "(.+)"$/m],
  ['python/src/svc/version.py', /^__version__ = "(.+)"$/m],
  ['rust/Cargo.toml', /^version = "(.+)"$/m],
  ['rust/Cargo.toml', /^svc-sdk-macros = \{ version = "=(.+?)"/m],
  ['rust/macros/Cargo.toml', /^version = "(.+)"$/m],
])('%s has the version of package.json', (file, pattern) => {
  expect(pattern.exec(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))?.[1]).toBe(version);
});
