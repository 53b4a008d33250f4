/** The package as it is read: on a registry's page and in node_modules, where there is nothing but the tarball. */
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readPage } from '../support/markdown';
import { sectionsOf } from '../support/sections';

const [{ files }] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' }));
const PACKED: string[] = files.map(({ path }: { path: string }) => path);
const PAGES = PACKED.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md');

const isPacked = (path: string) => PACKED.some((packed) => packed === path || packed.startsWith(`${path.replace(/\/$/, '')}/`));

/** Links and images without a scheme. */
function pathsIn(page: string): string[] {
  const paths: string[] = [];
  marked.walkTokens(marked.lexer(readPage(page)), (token) => {
    if ((token.type === 'link' || token.type === 'image') && !/^[a-z]+:/.test(token.href)) paths.push(token.href);
  });
  return paths;
}

function resolve(page: string, link: string): { path: string; section: string | undefined } {
  const [path = '', section] = link.split('#');
  return { path: path === '' ? page : join(dirname(page), path), section };
}

describe.each(PAGES)('%s', (page) => {
  test('links to files and sections that are in the package', () => {
    const dead = pathsIn(page).filter((link) => {
      const { path, section } = resolve(page, link);
      return !isPacked(path) || (section !== undefined && !sectionsOf(path).includes(section));
    });
    expect(dead).toEqual([]);
  });
});

test.each(['python/README.md', 'rust/README.md'])('%s links to no file: an index of packages shows it alone', (page) => {
  expect(pathsIn(page).filter((path) => !path.startsWith('#'))).toEqual([]);
});

test('every page of docs/ can be reached from the README', () => {
  const reached = new Set(['README.md']);
  for (const page of reached) {
    for (const link of pathsIn(page)) {
      const { path } = resolve(page, link);
      if (PAGES.includes(path)) reached.add(path);
    }
  }
  expect(PAGES.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
});

test('package.json names no address until there is one', () => {
  expect(Object.keys(packageJson)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(repository|homepage|bugs)$/)]));
});
