/** The README, the index of docs/, and the tables of contents of long pages. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { codeBlocks, readPage } from '../support/markdown';
import { anchorOf } from '../support/sections';

const MAX_LINES = 200;
const MAX_BYTES_WITHOUT_CONTENTS = 30_000;
const PAGES = globSync('docs/**/*.md');

describe('README.md', () => {
  test(`has at most ${MAX_LINES} lines`, () => {
    expect(readPage('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  });

  test('begins with the main job and the tests, a command each', () => {
    const [first] = codeBlocks('README.md');
    expect(first?.text.split('\n').map((line) => line.split('#')[0]?.trim())).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
    expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(['demo', 'test']));
  });

  test('shows the console in light and dark', () => {
    const [, dark, light] =
      /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="(.+)-dark\.png">\s*<img src="(.+)\.png" alt=".+">/.exec(
        readPage('README.md'),
      ) ?? [];
    expect(dark).toMatch(/^docs\/images\/console\/\w+$/);
    expect(light).toBe(dark);
  });

  test('has programs in JavaScript alone', () => {
    const languages = codeBlocks('README.md').map(({ language }) => language);
    expect([...new Set(languages)].sort()).toEqual(['js', 'sh', 'text']);
  });

  test.each([
    ['python/README.md', 'python', /"""(.+)\."""/],
    ['rust/README.md', 'rust,no_run', /\/\/\/ (.+)\n#\[action/],
  ])('its toolkit and its loop are in %s too', (page, language, described) => {
    const description = /actionDescription: "(.+)"/.exec(program('README.md', 'js', 'Toolkit'))?.[1];
    expect(described.exec(program(page, language, 'today'))?.[1]).toBe(description);
    expect(program('README.md', 'js', 'callTools')).toContain('getTools');
    expect(program(page, language, 'call_tools')).toContain('get_tools');
  });

  test('the test in docs/testing.md is in python/README.md and rust/README.md too', () => {
    for (const page of ['docs/testing.md', 'python/README.md', 'rust/README.md'])
      expect(codeBlocks(page).filter(({ text }) => text.includes('Hello, Ada!'))).toHaveLength(1);
  });
});

/** The first block that has the word. */
function program(page: string, language: string, word: string): string {
  return codeBlocks(page).find((block) => block.language === language && block.text.includes(word))?.text ?? '';
}

test('docs/README.md links each page once', () => {
  // Decisions have a separate index.
  const isIndexed = (path: string) => path.startsWith('docs/') && path !== 'docs/README.md' && !path.startsWith('docs/decisions/');
  const linked = linksOf(readPage('docs/README.md')).map((link) => join('docs', link));
  expect(linked.filter(isIndexed).sort()).toEqual(PAGES.filter(isIndexed).sort());
});

describe('long pages', () => {
  const long = PAGES.filter((page) => Buffer.byteLength(readPage(page)) > MAX_BYTES_WITHOUT_CONTENTS);

  test('there are some', () => expect(long).toContain('docs/protocol.md'));

  test.each(long)('%s begins with links to all its parts', (page) => {
    const tokens = marked.lexer(readPage(page));
    const parts = tokens.flatMap((token) => (token.type === 'heading' && token.depth === 2 ? [`#${anchorOf(token.text)}`] : []));
    const beginning = tokens.slice(
      0,
      tokens.findIndex((token) => token.type === 'heading' && token.depth === 2),
    );
    expect(linksOf(beginning.map(({ raw }) => raw).join(''))).toEqual(expect.arrayContaining(parts));
  });
});

/** Links without a scheme. `docs.test.ts` checks that they lead somewhere. */
function linksOf(markdown: string): string[] {
  const links: string[] = [];
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'link' && !/^[a-z]+:/.test(token.href)) links.push(token.href);
  });
  return links;
}
