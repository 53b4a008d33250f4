import { expect, test } from 'vitest';
import { Sessions } from '../../../src/service/learning/sessions';

const NOW = 1_700_000_000_000;
const MINUTE_MS = 60_000;
const newSessions = () => new Sessions((query) => query.split(' '));

test('a call belongs to the newest search of its key that showed its action, and to each search once', () => {
  const sessions = newSessions();
  sessions.searched('a', 'old words', ['mail__send'], NOW);
  sessions.searched('a', 'new words', ['mail__send', 'mail__read'], NOW + 1);
  sessions.searched('a', 'weather', ['weather__now'], NOW + 2);
  const learned = () => sessions.succeeded('a', 'mail__send', NOW + 3);
  expect(learned()).toEqual([{ query: 'new words', strength: 1 }]);
  expect(learned()).toEqual([{ query: 'old words', strength: 1 }]);
  expect(learned()).toEqual([]);
  expect(sessions.succeeded('a', 'mail__read', NOW + 4)).toEqual([{ query: 'new words', strength: 1 }]);
});

test('of several conversations on one key, a search that has led to something gives way to one that has not', () => {
  const sessions = newSessions();
  sessions.searched('a', 'send mail', ['mail__send'], NOW);
  sessions.searched('a', 'weather', ['weather__now', 'mail__send'], NOW + 1);
  expect(sessions.succeeded('a', 'weather__now', NOW + 2)).toEqual([{ query: 'weather', strength: 1 }]);
  expect(sessions.succeeded('a', 'mail__send', NOW + 3)).toEqual([{ query: 'send mail', strength: 1 }]);
});

test('calls of other keys, of actions that no search showed, and after the window teach nothing', () => {
  const sessions = newSessions();
  sessions.searched('a', 'mail', ['mail__send'], NOW);
  expect(sessions.succeeded('b', 'mail__send', NOW + 1)).toEqual([]);
  expect(sessions.succeeded('a', 'mail__read', NOW + 1)).toEqual([]);
  expect(sessions.succeeded('a', 'mail__send', NOW + 10 * MINUTE_MS + 1)).toEqual([]);
});

test('a search that led to nothing, said in other words soon after, is half evidence; only when they share a word', () => {
  const sessions = newSessions();
  sessions.searched('a', 'unrelated', ['weather__now'], NOW);
  sessions.searched('a', 'note to boss', [], NOW + 1);
  sessions.searched('a', 'mail to boss', ['mail__send'], NOW + 2);
  expect(sessions.succeeded('a', 'mail__send', NOW + 3)).toEqual([
    { query: 'mail to boss', strength: 1 },
    { query: 'note to boss', strength: 0.5 },
  ]);
  sessions.searched('a', 'to boss', ['mail__send'], NOW + 4);
  expect(sessions.succeeded('a', 'mail__send', NOW + 5)).toEqual([{ query: 'to boss', strength: 1 }]);
});

test('other words after more than two minutes, or after a success, are another wish', () => {
  const sessions = newSessions();
  sessions.searched('a', 'note to boss', ['notes__add'], NOW);
  sessions.searched('a', 'mail to boss', ['mail__send'], NOW + 2 * MINUTE_MS + 1);
  expect(sessions.succeeded('a', 'mail__send', NOW + 3 * MINUTE_MS)).toHaveLength(1);
  sessions.searched('b', 'note to boss', ['notes__add'], NOW);
  sessions.succeeded('b', 'notes__add', NOW + 1);
  sessions.searched('b', 'mail to boss', ['mail__send'], NOW + 2);
  expect(sessions.succeeded('b', 'mail__send', NOW + 3)).toHaveLength(1);
});

test('a failure counts once for a search, and a success after it counts too', () => {
  const sessions = newSessions();
  sessions.searched('a', 'mail', ['mail__send'], NOW);
  expect(sessions.failed('a', 'mail__send', NOW + 1)).toHaveLength(1);
  expect(sessions.failed('a', 'mail__send', NOW + 2)).toHaveLength(0);
  expect(sessions.succeeded('a', 'mail__send', NOW + 3)).toHaveLength(1);
});

test('an exact id teaches nothing', () => {
  const sessions = newSessions();
  sessions.searched('a', ' mail__send ', ['mail__send'], NOW);
  expect(sessions.succeeded('a', 'mail__send', NOW + 1)).toEqual([]);
});

test('one key, and all of them, hold so many searches; the oldest go first', () => {
  const sessions = newSessions();
  for (let search = 0; search <= 200; search++) sessions.searched('a', `query ${search}`, [`tool__${search}`], NOW);
  expect(sessions.succeeded('a', 'tool__0', NOW)).toEqual([]);
  expect(sessions.succeeded('a', 'tool__1', NOW)).not.toEqual([]);
  for (let key = 0; key < 10_000; key++) sessions.searched(`key_${key}`, 'query', ['tool__x'], NOW);
  expect(sessions.succeeded('a', 'tool__200', NOW)).toEqual([]);
  expect(sessions.succeeded('key_0', 'tool__x', NOW)).not.toEqual([]);
});

test('old searches are swept', () => {
  const sessions = newSessions();
  sessions.searched('a', 'mail', ['mail__send'], NOW);
  sessions.sweep(NOW + 11 * MINUTE_MS);
  expect(sessions.succeeded('a', 'mail__send', NOW + MINUTE_MS)).toEqual([]);
});
