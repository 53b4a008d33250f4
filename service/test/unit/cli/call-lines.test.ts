/** The lines of `svc-service logs`: columns in a window of 80, whole calls in a pipe. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { lineText } from '#sdk/cli/line';
import { textWidth } from '#sdk/cli/text-width';
import type { InvocationInfo } from '#sdk/protocol/admin';
import { CallLines } from '../../../cli/logs/call-lines';

const call = (action: string, more: object = {}) =>
  ({ id: 'inv_1', action, startedAt: '2026-11-27T10:00:00.123Z', key: { id: 'key_1', name: 'agent' }, ...more }) as InvocationInfo;

const CALLS = [
  call('weather__today', { code: 'OK', ms: 12.4 }),
  call('חנות__קנה', { code: 'ACTION_FAILED', ms: 1_200, key: { id: 'key_2', name: `סוכן 🚴 ${'long '.repeat(20)}` } }),
  call('shop__buy', { key: { id: 'key_3' } }),
];

function linesOf(width: number | undefined, ...groups: (readonly InvocationInfo[])[]): string[] {
  const lines = new CallLines(() => width);
  return groups.flatMap((calls) => lines.of(calls)).flatMap((line) => lineText(line, new PassThrough()).split('\n'));
}

test('on a terminal each part has its column within the window, below the day', () => {
  const [day, ...lines] = linesOf(80, CALLS);
  expect(day).toBe(new Date('2026-11-27T10:00:00.123Z').toDateString());
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    expect(textWidth(line)).toBeLessThanOrEqual(80);
    expect(line).toMatch(/^\d\d:\d\d:\d\d {2}/);
  }
  const columnOf = (line: string | undefined, text: string) => textWidth((line ?? '').slice(0, line?.indexOf(text)));
  expect(columnOf(lines[0], 'OK')).toBe(columnOf(lines[1], 'ACTION_FAILED'));
  expect(columnOf(lines[2], 'running')).toBe(columnOf(lines[0], 'OK'));
  expect(columnOf(lines[0], 'agent')).toBe(columnOf(lines[1], 'סוכן'));
  expect(columnOf(lines[2], 'key_3')).toBe(columnOf(lines[0], 'agent'));
});

test('the day is printed once, and again for a call of another day; later calls keep the columns', () => {
  const later = call('a', { code: 'OK', ms: 1, startedAt: '2026-11-29T10:00:00.000Z' });
  const lines = linesOf(80, CALLS, [later]);
  expect(lines.filter((line) => /^[A-Z]/.test(line))).toHaveLength(2);
  expect(lines.at(-1)?.indexOf('OK')).toBe(lines[1]?.indexOf('OK'));
});

test('in a pipe a call is complete, with the time as the service says it', () => {
  expect(linesOf(undefined, CALLS)).toEqual([
    '2026-11-27T10:00:00.123Z  weather__today  OK  12 ms  agent',
    `2026-11-27T10:00:00.123Z  חנות__קנה  ACTION_FAILED  1200 ms  סוכן 🚴 ${'long '.repeat(20)}`,
    '2026-11-27T10:00:00.123Z  shop__buy  running  key_3',
  ]);
});
