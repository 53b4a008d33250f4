import { expect, test } from 'vitest';
import { mergeIntents, splitIntents } from '../../../src/catalog/answer/two-intents';

test.each([
  ['find my flight and put it into the calendar', ['find my flight', 'put it into the calendar']],
  ['Restart the service. Also purge the old record.', ['Restart the service.', 'Also purge the old record.']],
  ['translate this paragraph; add it to my notes', ['translate this paragraph', 'add it to my notes']],
  ['refund the last payment, then write an email', ['refund the last payment', 'write an email']],
  ['restart the droplet and then list the pods', ['restart the droplet', 'list the pods']],
  ['search the open issues and please also create a page', ['search the open issues', 'please also create a page']],
])('%j has the parts %j', (query, parts) => {
  expect(splitIntents(query)).toEqual(parts);
});

test.each([
  ['"and" joins two things, not two verbs', 'weather and traffic in Berlin'],
  ['a part has one word', 'stop and delete the old server'],
  ['there are three parts', 'find my flight, then book a hotel, then write an email'],
  ['it is long', `find my flight to ${'very '.repeat(30)}far away and put it into the calendar`],
])('a query is one need when %s', (_, query) => {
  expect(splitIntents(query)).toBeUndefined();
});

test('the best of each part is ranked after the first half of the results of the whole query', () => {
  expect(
    mergeIntents(
      ['a', 'b', 'c', 'd'],
      [
        ['x', 'c'],
        ['b', 'y'],
      ],
      4,
    ),
  ).toEqual(['a', 'b', 'x', 'c']);
  expect(mergeIntents(['a', 'b', 'c', 'd', 'e'], [['x'], ['y']], 5)).toEqual(['a', 'b', 'c', 'x', 'y']);
  expect(mergeIntents(['a'], [['x'], ['y']], 1)).toEqual(['a']);
});

test('parts with a result in common keep the order of the whole query', () => {
  expect(
    mergeIntents(
      ['a', 'b'],
      [
        ['x', 'z'],
        ['y', 'z'],
      ],
      10,
    ),
  ).toEqual(['a', 'b']);
});
