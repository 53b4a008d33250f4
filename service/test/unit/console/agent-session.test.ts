import { expect, test } from 'vitest';
import { goesOn } from '../../../console/src/api/agent-session';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const sessionOf = (...entries: object[]) => ({ pages: [{ entries }], pageParams: [undefined] });
const callAt = (at: string, code?: string) => ({ kind: 'call', at, call: { ...(code && { code }) } });

test('an ended session is not asked again with every call of anyone; one that goes on is', () => {
  expect(goesOn(sessionOf(callAt('2026-11-20T09:00:00Z', 'OK')), NOW)).toBe(false);
  expect(goesOn(sessionOf(callAt('2026-11-20T09:00:00Z')), NOW)).toBe(true);
  expect(goesOn(sessionOf(callAt('2026-11-20T09:00:00Z', 'OK'), callAt('2026-11-20T09:59:30Z', 'OK')), NOW)).toBe(true);
  expect(goesOn(sessionOf(), NOW)).toBe(true);
  expect(goesOn(undefined, NOW)).toBe(true);
});

test('a list of sessions, whose key begins as that of a session, is asked again', () => {
  expect(goesOn({ items: [callAt('2026-11-20T09:00:00Z', 'OK')], currency: 'USD' }, NOW)).toBe(true);
});
