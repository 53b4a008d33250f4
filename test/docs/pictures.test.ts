/** The pictures of the console: those of README and docs/console.md show the present version. `npm run console:shots` takes them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { version } from '../../package.json';
import { versionIn, withVersion } from '../../scripts/console-shots/version-in-picture.ts';

const ROOT = join(import.meta.dirname, '../..');
/** A picture of one point: signature, header, data, end. */
const POINT = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

const picturesOf = (page: string, folder: string) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const names = [...text.matchAll(/images\/console\/[\w-]+\.png/g)].map(([path]) => path);
  return [...new Set(names)].map((path) => ({ path: join(folder, path) }));
};

test('a version is written into a picture and read from it', () => {
  expect(versionIn(POINT)).toBeUndefined();
  expect(versionIn(withVersion(POINT, '1.2.3-beta.4'))).toBe('1.2.3-beta.4');
});

describe('shows the present version', () => {
  test.each([...picturesOf('README.md', 'docs'), ...picturesOf('docs/console.md', 'docs')])('$path', ({ path }) => {
    expect(versionIn(readFileSync(join(ROOT, path))), 'take the pictures again: npm run console:shots').toBe(version);
  });
});
