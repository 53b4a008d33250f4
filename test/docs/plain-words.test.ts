/** Pages and comments follow "Plain words" of CONTRIBUTING.md: the phrases in test/support/plain-words.ts do not come back. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { roughPhrases } from '../support/plain-words';
import { type Passage, proseOfMarkdown, proseOfTests, proseOfTypeScript } from '../support/prose';
import { proseOfPython, proseOfRust } from '../support/prose-of-sources';

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

// The text of the two tools is the same bytes for every client, so it stays as it is.
const TOOL_TEXTS = [
  'src/tools/definitions.ts',
  'adapters/openai/tool-search.ts',
  'python/src/svc/tools/definitions.py',
  'rust/src/tools/definitions.rs',
];
const SOURCES = [
  {
    what: 'TypeScript',
    files: [
      '{src,adapters,bench,scripts,examples,service/{src,cli,import,console,scripted-model}}/**/*.{ts,tsx,mjs}',
      '{test,service/test}/support/**/*.{ts,mjs}',
    ],
    read: proseOfTypeScript,
  },
  { what: 'tests in TypeScript', files: ['{test,service/test}/*/**/*.{ts,tsx,mjs}', 'test/*.ts'], read: proseOfTests },
  {
    what: 'Python',
    files: ['{python/{src,tests},examples/python}/**/*.py'],
    read: (_path: string, source: string) => proseOfPython(source),
  },
  { what: 'Rust', files: ['rust/{src,tests,examples}/**/*.rs'], read: (_path: string, source: string) => proseOfRust(source) },
];

test.each(SOURCES)(
  'comments, messages and names of tests are in plain words: $what',
  ({ files, read }) => {
    const paths = globSync(files).filter((path) => !/\b(node_modules|dist)\b/.test(path) && !TOOL_TEXTS.includes(path));
    expect(paths).not.toEqual([]);
    const found = paths.flatMap((path) => roughPhrases(read(path, readFileSync(path, 'utf8'))).map((phrase) => `${path}:${phrase}`));
    expect(found).toEqual([]);
  },
  300_000,
);

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
  const found = (passages: Passage[]) => roughPhrases(passages).map((phrase) => phrase.split(', instead')[0]);
  const inComment = (text: string) => roughPhrases(proseOfTypeScript('a.ts', `/** ${text} */\nconst a = 1;`));

  test.each([
    'Ten, unless told.',
    'A result that is no object.',
    'Not one of theirs.',
    'The list goes by name.',
    'A node hears of it.',
    'What the caller gets.',
    'Whoever asks first.',
    'A result that nobody reads.',
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

  test('read comments and names of tests in tests of TypeScript', () => {
    const source = `/** What it is. */
test.each(['It tells all.'])('it hears of %s', () => expect('It tells all.').toBe(''));
describe('the list of theirs', () => {}); // Unless told.
test('what is left ends', () => {});
`;
    expect(found(proseOfTests('a.test.ts', source))).toEqual([
      '1: "What it is"',
      '3: "Unless told"',
      '3: "told"',
      '2: "hears"',
      '3: "of theirs"',
      '4: "what is left ends"',
    ]);
  });

  test('read comments, docstrings, messages and names of tests in Python', () => {
    const source = `"""What it is."""

#: Of the newest call,
#: unless told. \`\`is no\`\`
LIMIT = 1  # noqa: is no
TEXT = f"This {is_no} text" " is no text."


def test_it_hears_of_the_end() -> None:
    """Returns.

    It tells.
    """
`;
    expect(found(proseOfPython(source))).toEqual([
      '1: "What it is"',
      '3: "unless told"',
      '3: "told"',
      '3: "Of the newest call, unless told. "',
      '6: "is no text"',
      '9: "hears"',
      '10: "tells"',
    ]);
  });

  test('read comments, messages and names of tests in Rust', () => {
    const source = `//! What it is.
/// Of the newest call,
/// unless told. \`is no\`
const QUOTE: char = '"';
fn it_hears() -> String {
    format!("{is_no} text \\
             is no text.")
}
#[tokio::test]
async fn it_hears_of_the_end() {
    let raw = r#"This "is no" text"#; // It tells.
}
`;
    expect(found(proseOfRust(source))).toEqual([
      '1: "unless told"',
      '1: "told"',
      '1: "What it is"',
      '6: "is no text"',
      '9: "hears"',
      '11: "tells"',
    ]);
  });

  test('read messages and pages, and leave code', () => {
    expect(roughPhrases(proseOfTypeScript('a.ts', "throw new Error(`This is no action`); const sql = 'a is no';"))).toHaveLength(1);
    expect(roughPhrases(proseOfMarkdown('# What it does\n\n- It `is no` tool.\n- It is no tool.\n\n```\nis no tool\n```\n'))).toEqual([
      expect.stringMatching(/^4: "is no tool"/),
    ]);
  });
});
