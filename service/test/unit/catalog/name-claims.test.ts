import { expect, test } from 'vitest';
import { NameClaims } from '../../../src/catalog/names/name-claims';

const toolkit = (id: string, name: string, createdAt: number, namedAt?: number) => ({
  id,
  name,
  description: '',
  createdAt,
  ...(namedAt !== undefined && { namedAt }),
});

function claimsOf(...toolkits: ReturnType<typeof toolkit>[]): NameClaims {
  const claims = new NameClaims();
  for (const each of toolkits) claims.set(each);
  return claims;
}

test('the first toolkit keeps the name, for any reading order', () => {
  const [slack, evil] = [toolkit('slack', 'Slack', 1), toolkit('chat', 'SIack', 2)];
  for (const claims of [claimsOf(slack, evil), claimsOf(evil, slack)]) {
    expect(claims.imitatedBy('slack')).toBeUndefined();
    expect(claims.imitatedBy('chat')).toBe('slack');
  }
});

test('an older toolkit that takes the name later imitates', () => {
  const claims = claimsOf(toolkit('old', 'Slack', 1, 10), toolkit('team-chat', 'Slack', 5));
  expect(claims.imitatedBy('old')).toBe('team-chat');
  expect(claims.imitatedBy('team-chat')).toBeUndefined();
});

test('a name like an id imitates too, and an id like an id', () => {
  const claims = claimsOf(toolkit('slack', 'Chat of the team', 1), toolkit('evil', 'Slack', 2), toolkit('s1ack', 'Evil too', 3));
  expect([claims.imitatedBy('evil'), claims.imitatedBy('s1ack')]).toEqual(['slack', 'slack']);
});

test('the name is free when its toolkit takes another, or is removed', () => {
  const claims = claimsOf(toolkit('a', 'Slack', 1), toolkit('b', 'Slack', 2), toolkit('c', 'Slack', 3));
  expect(claims.set(toolkit('a', 'Mail', 1, 9))).toEqual(new Set(['b']));
  expect([claims.imitatedBy('b'), claims.imitatedBy('c')]).toEqual([undefined, 'b']);
  expect(claims.remove('b')).toEqual(new Set(['c']));
  expect(claims.imitatedBy('c')).toBeUndefined();
});

test('in the same millisecond the order of the ids decides, on every node', () => {
  const [a, b] = [toolkit('a', 'Slack', 1), toolkit('b', 'Slack', 1)];
  for (const claims of [claimsOf(a, b), claimsOf(b, a)]) expect(claims.imitatedBy('b')).toBe('a');
});

test('one name of ten thousand toolkits costs each the same', () => {
  const claims = new NameClaims();
  for (let index = 0; index < 10_000; index++) claims.set(toolkit(`toolkit-${index}`, 'Demo', index));
  const before = performance.now();
  for (let index = 1; index < 10_000; index++) expect(claims.imitatedBy(`toolkit-${index}`)).toBe('toolkit-0');
  expect(performance.now() - before).toBeLessThan(5_000);
});
