import { expect, test } from 'vitest';
import { columns, table } from '../../../src/cli/columns';
import { lineText } from '../../../src/cli/line';
import { cutToWidth, textWidth } from '../../../src/cli/text-width';

const HEAD = ['id', 'online', 'description'];
const ROWS = [
  HEAD,
  ['tokyo__today', 'yes', '東京の今日の天気：気温と空模様'],
  ['cafe__order', 'no', 'Orders a cafe\u0301 au lait ☕️ for 👨‍👩‍👧‍👦'],
];
const shown = (width?: number) => lineText(table(ROWS, { width, cut: [2] }), process.stdout).split('\n');

test.each([
  ['abc', 3],
  ['東京', 4],
  ['한국', 4],
  ['cafe\u0301', 4],
  ['👨‍👩‍👧‍👦', 2],
  ['🇮🇹', 2],
  ['☕️', 2],
])('%s takes %i columns', (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test.each(['東京の今日の天気：気温と空模様', 'Orders a cafe\u0301 au lait ☕️ for 👨‍👩‍👧‍👦', 'नमस्ते दुनिया', '🇮🇹🇩🇪🇮🇹x'])(
  '%s fits every width',
  (text) => {
    for (let width = 1; width < 40; width++) expect(textWidth(cutToWidth(text, width))).toBeLessThanOrEqual(width);
  },
);

test('a text is cut by columns, between whole characters', () => {
  expect(cutToWidth('東京タワー', 6)).toBe('東京…');
  expect(cutToWidth('👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 5)).toBe('👨‍👩‍👧‍👦👨‍👩‍👧‍👦…');
  expect(cutToWidth('cafe\u0301s', 5)).toBe('cafe\u0301s');
});

test('cells of any script are aligned with their head', () => {
  const [head = '', ...lines] = columns([...ROWS, ['大', '大', 'x']]).split('\n');
  for (const [row, line] of lines.entries()) {
    const cell = [...ROWS, ['大', '大', 'x']][row + 1]?.[2] ?? '';
    expect(textWidth(line.slice(0, line.indexOf(cell)))).toBe(head.indexOf('description'));
  }
});

test.each([120, 80, 60, 40, 34])('a table fits a window of %i columns, with its ids whole', (width) => {
  const lines = shown(width);
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
  expect(lines[1]).toMatch(/^tokyo__today {2}yes {5}東京/);
});

test('a window too narrow for the columns gets a paragraph for each row', () => {
  expect(shown(28)).toEqual([
    'tokyo__today',
    '  online       yes',
    '  description  東京の今日の…',
    'cafe__order',
    '  online       no',
    '  description  Orders a caf…',
  ]);
});

test('a file or a pipe gets whole cells', () => {
  expect(shown().slice(1)).toEqual([
    'tokyo__today  yes     東京の今日の天気：気温と空模様',
    'cafe__order   no      Orders a cafe\u0301 au lait ☕️ for 👨‍👩‍👧‍👦',
  ]);
});

test('a control character in a cell is an escape before it is measured', () => {
  const [, line = ''] = lineText(table([['id'], ['a\u001b[2Jb\nc']], { width: 80 }), process.stdout).split('\n');
  expect(line).toBe('a\\x1b[2Jb\\nc');
});
