/** The links of the pages: in the repository, where all files are, and in the packages, whose README is read on a registry's page and in node_modules. */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import servicePackageJson from '../../service/package.json' with { type: 'json' };
import { readPage } from '../support/markdown';
import { sectionsOf } from '../support/sections';

const PAGES = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => !/^(CHANGELOG\.md$|\.changeset\/)/.test(path));

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
  test('links to files and sections that are there', () => {
    const dead = pathsIn(page).filter((link) => {
      const { path, section } = resolve(page, link);
      if (!existsSync(path)) return true;
      return section !== undefined && statSync(path).isFile() && path.endsWith('.md') && !sectionsOf(path).includes(section);
    });
    expect(dead).toEqual([]);
  });
});

test.each(['python/README.md', 'rust/README.md'])('%s links to no file: an index of packages shows it alone', (page) => {
  expect(pathsIn(page).filter((path) => !path.startsWith('#'))).toEqual([]);
});

test('service/README.md links to pages that its package has', () => {
  const paths = pathsIn('service/README.md').map((link) => link.split('#', 1)[0] ?? '');
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !/^\.\.\/(README|docs\/[\w/-]+)\.md$/.test(path))).toEqual([]);
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

test.each([packageJson, servicePackageJson])('package.json of $name names no address until there is one', (manifest) => {
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(repository|homepage|bugs)$/)]));
});
