import { expect, test } from 'vitest';
import { looksOnlyLike, skeletons } from '../../../src/catalog/names/skeletons';

const alike = (one: string, other: string) => skeletons(one).some((skeleton) => skeletons(other).includes(skeleton));

test.each([
  ['slack', 'lower case'],
  ['SLACK', 'capitals'],
  ['S l a c k', 'spaces'],
  ['_slack-', 'punctuation'],
  ['SIack', 'a capital I for the l'],
  ['S1ack', 'a digit for the l'],
  ['S|ack', 'a bar for the l'],
  ['| Slack |', 'bars around it'],
  ['Slаck', 'a Cyrillic а'],
  ['ѕӏаск', 'Cyrillic letters alone'],
  ['ЅӀАСК', 'Cyrillic capitals'],
  ['Ꮪꮮаᴄk', 'Cherokee and small capitals'],
  ['Ｓｌａｃｋ', 'full width'],
  ['𝐒𝓁𝖺𝚌𝕜', 'mathematical letters'],
  ['Śłãçķ', 'diacritics'],
  ['S\u0338l\u0337ack', 'overlays'],
  ['S\u200bl\u00adack\u2060', 'invisible characters'],
  ['S\u{e0001}lack\u{e007f}', 'tag characters'],
  ['\u202eSlack\u202c', 'a direction override'],
  ['Slack™', 'a trade mark'],
  ['Slack ✅', 'a sign of approval'],
  ['Slack\ufe0f', 'a variation selector'],
])('%s looks like Slack: %s', (name) => {
  expect(alike(name, 'Slack')).toBe(true);
});

test.each([
  ['Gmail', 'Grnail'],
  ['Invoice', '1nv0ice'],
  ['INVOICES', 'lNVOlCES'],
  ['Kubernetes', 'Κυbernetes'],
  ['🎉', '🎉\ufe0f'],
])('%s looks like %s', (one, other) => {
  expect(alike(one, other)).toBe(true);
});

test.each([
  ['Slack', 'Slacks'],
  ['Mail', 'Mall'],
  ['Tea', 'Sea'],
  ['Orders 1', 'Orders 2'],
  ['天気', '地図'],
  ['Погода', 'Карты'],
  ['🎉', '🎊'],
  ['हिन्दी', 'हन्द'],
])('%s does not look like %s', (one, other) => {
  expect(alike(one, other)).toBe(false);
});

test('a name looks only like its own variants', () => {
  expect(looksOnlyLike('SLACK', 'Slack')).toBe(true);
  // It may be read as Slack too, which the former name was not.
  expect(looksOnlyLike('SIack', 'Siack')).toBe(false);
});

test('a long name costs little, for any content', () => {
  const before = performance.now();
  for (const part of ['|', ' ', '﷽', '\u0338', 'ﷺ', '∞', 'a|']) skeletons(part.repeat(10_000));
  expect(performance.now() - before).toBeLessThan(5_000);
});
