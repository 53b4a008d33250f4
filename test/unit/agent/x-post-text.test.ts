import { describe, expect, test } from 'vitest';
import { fitPost, postWeight } from '../../../src/agent/clients/x/post-text';

const FAMILY = '👨‍👩‍👧‍👦';

/** The first group: docs.x.com, "Counting characters", but for Ồ, which its own configuration counts as 2. The second: `conformance/validate.yml` of twitter-text. */
describe('the weight of a text is that of X', () => {
  test.each([
    ['a', 1],
    ['á', 1],
    ['ӑ', 1],
    ['👾', 2],
    ['🙋🏽', 2],
    ['👨‍🎤', 2],
    [FAMILY, 2],
    ['caf\u0065\u0301', 4],

    ['Hi http://test.co', 26],
    ['http://test.co', 23],
    ['https://www.twitter.com/aloha '.repeat(10), 240],
    ['故人西辞黄鹤楼，烟花三月下扬州。', 32],
    ['the故人', 7],
    ['\u0041\u0301B', 2],
    ['A\u05e9\u05bc\u05c1', 4],
    ['😷👾😡🔥💩', 10],
    ['🙋🏽👨‍🎤', 4],
    [FAMILY.repeat(140), 280],
    ['Unicode 10.0 emoji: 🤪; 🧕; 🧕🏾; 🏴󠁧󠁢󠁥󠁮󠁧󠁿', 34],
    [
      'This is a tweet with general punctuation characters: \u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u200B ‐ ‑ ‒ – — ― ‖  ‗ ‘ ’ ‚ ‛ “ ” „ ‟ ′ ″ ‴ ‵ ‶ ‷',
      110,
    ],
  ])('%j', (text, weight) => expect(postWeight(text)).toBe(weight));
});

describe('a link', () => {
  test.each([
    ['http://example.com/a/very/long/path?with=a&query=and#fragment-that-goes-on', 23],
    ['http://example.com.', 24],
    ['(https://example.com/a)', 25],
    ['https://example.com/中文', 27],
    ['https://example.com中文', 27],
    ['http://münchen.de', 23],
    ['see example.com', 27],
    ['example.com/path-of-24-characters', 45],
    [`http://${'a'.repeat(64)}.com`, 75],
    ['http://localhost:3000', 21],
    ['me@example.com', 14],
    ['1.5 e.g. no', 11],
  ])('in %j is counted like X, or as more', (text, weight) => expect(postWeight(text)).toBe(weight));
});

describe('a post', () => {
  const words = (weight: number) =>
    'word '
      .repeat(Math.ceil(weight / 5))
      .slice(0, weight - 1)
      .concat('x');

  test('of 280 is sent unchanged, without white space around it', () => {
    expect(fitPost(`  ${words(280)}\n`)).toBe(words(280));
    expect(fitPost('中'.repeat(140))).toBe('中'.repeat(140));
    expect(fitPost('')).toBe('');
  });

  test('that is longer ends behind a word with an ellipsis, which weighs 2', () => {
    expect(fitPost(`${words(278)} end`)).toBe(`${words(278)}…`);
    expect(fitPost(`${words(279)} end`)).toBe(`${words(279).slice(0, 274)}…`);
    expect(postWeight(fitPost(`${words(278)} end`))).toBe(280);
  });

  test('without white space is cut behind a character', () => {
    expect(fitPost('中'.repeat(141))).toBe(`${'中'.repeat(139)}…`);
    expect(fitPost('a'.repeat(281))).toBe(`${'a'.repeat(278)}…`);
    expect(fitPost(FAMILY.repeat(141))).toBe(`${FAMILY.repeat(139)}…`);
  });

  test('keeps more than half: one short word in front does not end it', () => {
    expect(fitPost(`Hi ${'中'.repeat(200)}`)).toBe(`Hi ${'中'.repeat(137)}…`);
  });

  test('has whole links', () => {
    const link = 'https://example.com/where-to-read-on';
    expect(fitPost(`${'a'.repeat(257)}${'\n'}${link}`)).toBe(`${'a'.repeat(257)}…`);
    expect(fitPost(`${'a'.repeat(254)} ${link}`)).toBe(`${'a'.repeat(254)} ${link}`);
    expect(fitPost(`${'a'.repeat(250)} ${link} more words`)).toBe(`${'a'.repeat(250)} ${link}…`);
  });

  test('of many lines keeps them', () => {
    expect(fitPost('one\n\ntwo')).toBe('one\n\ntwo');
  });
});

test.each(['a'.repeat(200_000), 'a.'.repeat(100_000), 'http://'.repeat(30_000), `http://${'a.'.repeat(100_000)}`])(
  'a text of 200,000 characters does not block the program (%#)',
  (text) => {
    expect(postWeight(fitPost(text))).toBeLessThanOrEqual(280);
  },
);
