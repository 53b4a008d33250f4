/** Pages and comments follow "Plain words" of CONTRIBUTING.md: the phrases in test/support/plain-words.ts do not come back. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { roughPhrases } from '../support/plain-words';
import { proseOfMarkdown, proseOfTypeScript } from '../support/prose';

const PAGES = globSync([
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'docs/**/*.md',
  '{bench,examples}/README.md',
  'python/*.md',
  'rust/README.md',
  'test/{vectors,data}/**/*.md',
  '.changeset/*.md',
]);

// Comments and messages. The text of the two tools is the same bytes for every client, so it stays as it is.
const TOOL_TEXTS = ['src/tools/definitions.ts', 'adapters/openai/tool-search.ts'];
const SOURCES = globSync(['{src,adapters,console/src,bench,scripts,examples}/**/*.{ts,tsx,mjs}', 'test/support/*.{ts,mjs}']).filter(
  (path) => !path.includes('node_modules') && !TOOL_TEXTS.includes(path),
);

test('comments and messages are in plain words', () => {
  const found = SOURCES.flatMap((path) =>
    roughPhrases(proseOfTypeScript(path, readFileSync(path, 'utf8'))).map((phrase) => `${path}:${phrase}`),
  );
  expect(found).toEqual([]);
}, 300_000);

test.each(PAGES)('%s is in plain words', (page) => {
  expect(roughPhrases(proseOfMarkdown(readFileSync(page, 'utf8')))).toEqual([]);
});

// The text of a changeset becomes an item of CHANGELOG.md.
test.each(PAGES.filter((page) => !page.startsWith('.changeset/')))('%s has no line of prose above 100 characters', (page) => {
  let inCode = false;
  const long = readFileSync(page, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (/^\s*```/.test(line)) inCode = !inCode;
      return inCode || line.length <= 100 || /^\s*[|!<#]/.test(line) ? [] : [`${index + 1}: ${line.length}`];
    });
  expect(long).toEqual([]);
});

describe('the patterns', () => {
  const inComment = (text: string) => roughPhrases(proseOfTypeScript('a.ts', `/** ${text} */\nconst a = 1;`));

  test.each([
    'Ten, unless told.',
    'A result that is no object.',
    'Not one of theirs.',
    'The list goes by name.',
    'A node hears of it.',
    'What the caller gets.',
    'Whoever asks first.',
    'Of the newest call.',
    'Ends it. Who waited gets the error.',
  ])('find "%s"', (text) => expect(inComment(text)).not.toEqual([]));

  test.each([
    'Default: 10.',
    'There is no limit.',
    'The limit is no longer than the key.',
    'The name that `tells` has, and `Of` too.',
    'Runs after a restart.',
  ])('leave "%s"', (text) => expect(inComment(text)).toEqual([]));

  test('read messages and pages, and leave code', () => {
    expect(roughPhrases(proseOfTypeScript('a.ts', "throw new Error(`This is no action`); const sql = 'a is no';"))).toHaveLength(1);
    expect(roughPhrases(proseOfMarkdown('# What it does\n\n- It `is no` tool.\n- It is no tool.\n\n```\nis no tool\n```\n'))).toEqual([
      expect.stringMatching(/^4: "is no tool"/),
    ]);
  });
});
