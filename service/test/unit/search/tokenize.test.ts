import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { squeeze, tokenize } from '../../../src/catalog/search/tokenize';

const words = (text: string) => tokenize(text).words.map(({ spelling }) => spelling);
const joined = (text: string) => tokenize(text).joined.map(({ spelling }) => spelling);

describe('words', () => {
  test('are stems, without stop words and courtesies', () => {
    expect(words('Could you please list the open invoices?')).toEqual(['list', 'open', 'invoic']);
    expect(words("I don't want what's mine")).toEqual([]);
  });

  test.each([
    ['camelCase', 'createPullRequest', ['creat', 'pull', 'request']],
    ['snake_case', 'send_email', ['send', 'email']],
    ['an acronym before a word', 'parseHTMLPage', ['pars', 'html', 'page']],
    ['digits', 'mp3Player', ['mp', 'player']],
  ])('come out of %s', (_, text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test('do not depend on case, accents or width', () => {
    expect(words('Ｃａｆé ZÜRICH')).toEqual(words('cafe zurich'));
  });

  test('of scripts without gaps are characters and bigrams', () => {
    expect(words('天気予報')).toEqual(['天', '気', '予', '報', '天気', '気予', '予報']);
    expect(words('使用GitHub')).toEqual(['使', '用', '使用', 'git', 'hub']);
  });

  test('of Korean stay whole syllables', () => {
    expect(words('날씨')).toEqual(['날', '씨', '날씨']);
  });

  test('of other scripts stay whole, marks included', () => {
    expect(words('погода हिन्दी')).toEqual(['погода', 'हिन्दी']);
  });
});

describe('joined names', () => {
  test.each([
    ['GitHub', 'github'],
    ['EC2', 'ec2'],
    ['e-mail', 'email'],
    ['OAuth2', 'oauth'],
    ['createGitHubIssue', 'github'],
    ['getYouTubeVideo', 'youtub'],
  ])('%s is found as %s', (name, term) => {
    expect(joined(name)).toContain(term);
  });

  test('come from names of several pieces only', () => {
    expect(joined('send an email')).toEqual([]);
  });
});

test('squeezed names are the same without case, gaps and accents', () => {
  expect(squeeze('Google Calendar')).toBe(squeeze('google-calendar'));
  expect(squeeze('Café_Zürich!')).toBe('cafezurich');
  expect(squeeze('-- !')).toBe('');
});

test.each([
  ['one run without gaps', '天'],
  ['one name of many pieces', 'a_'],
  ['many words', 'word '],
])('a huge text of %s is split', (_, part) => {
  const { words, joined } = tokenize(part.repeat(200_000));
  expect(words.length + joined.length).toBeGreaterThan(100_000);
});

test('a cached word does not keep its source text in memory', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 1_000; i++) tokenize(`qualificationname${i} ${'and so on '.repeat(2_000)}`);
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5e6);
});
