import { expect, test } from 'vitest';
import { nearestIds } from '../../../src/catalog/search';

const IDS = [
  'calendar__create_event',
  'gmail__list_labels',
  'gmail__search_messages',
  'gmail__send_email',
  'github__search',
  'open-meteo__get_weather',
  'outlook__send_email',
];

test.each([
  ['a slip of the pen', 'gmial__send_emial', 'gmail__send_email'],
  ['another spelling', 'gmail.sendEmail', 'gmail__send_email'],
  ['a prefix that a model puts in front', 'functions.gmail__send_email', 'gmail__send_email'],
  ['another toolkit', 'weather__get_weather', 'open-meteo__get_weather'],
  ['no toolkit', 'get_weather', 'open-meteo__get_weather'],
  ['words in another order', 'calendar__event_create', 'calendar__create_event'],
  ['a word less', 'gmail__search', 'gmail__search_messages'],
  ['a plural', 'gmail__list_label', 'gmail__list_labels'],
])('an id with %s is understood', (_, wanted, meant) => {
  expect(nearestIds(wanted, IDS)[0]).toBe(meant);
});

test('equally near ids are sorted by id, at most the requested number', () => {
  expect(nearestIds('send_email', IDS)).toEqual(['gmail__send_email', 'outlook__send_email']);
  expect(nearestIds('send_email', [...IDS].reverse(), 1)).toEqual(['gmail__send_email']);
});

test('three at most by default', () => {
  expect(nearestIds('a__send', ['b__send', 'c__send', 'd__send', 'e__send'])).toEqual(['b__send', 'c__send', 'd__send']);
});

test('a name that only looks alike is another name', () => {
  expect(nearestIds('create_invoice', ['network__CreateDevice'])).toEqual([]);
});

test.each([
  ['no text', ''],
  ['nothing but a border', '__'],
  ['a foreign id', 'stripe__refund'],
  ['one letter', 'x'],
  ['another script', '天気'],
  ['a huge text', 'a'.repeat(1_000_000)],
  ['what objects inherit', '__proto__'],
])('nothing is near to %s', (_, wanted) => {
  expect(nearestIds(wanted, IDS)).toEqual([]);
});
