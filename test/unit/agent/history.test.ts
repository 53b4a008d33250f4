import type { Message } from 'svc-sdk/agent';
import { expect, test } from 'vitest';
import { readHistory, withFewImages } from '../../../src/agent/turns/history';

const turn = (text: string): Message[] => [
  { role: 'user', content: text },
  { role: 'assistant', content: 'ok' },
];
const image = (name: string): Message => ({
  role: 'user',
  content: [
    { type: 'text', text: name },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${name}` } },
  ],
});

test('the newest whole turns that fit are read, oldest first', () => {
  const long = turn('x'.repeat(2_000));
  expect(readHistory([turn('c'), turn('b'), long, turn('a')], 100)).toEqual([...turn('b'), ...turn('c')]);
  expect(readHistory([turn('c'), long, turn('a')], 1_000)).toEqual([...turn('a'), ...long, ...turn('c')]);
});

test('an image of any size counts as 1,600 tokens, and the SDK’s own members do not count', () => {
  const small: Message[] = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'A'.repeat(100_000) } }] }];
  expect(readHistory([small], 1_500)).toEqual([]);
  expect(readHistory([small], 1_700)).toHaveLength(1);
  expect(readHistory([[...small, { role: 'tool', content: 'seen', svc_images: ['x'.repeat(100_000)] }]], 1_700)).toHaveLength(2);
});

test('turns without messages are skipped, and /new ends the history', () => {
  expect(readHistory([turn('b'), [], turn('/new'), turn('a')], 100)).toEqual(turn('b'));
});

test('the model gets the four newest images, and texts in place of older ones', () => {
  const messages = ['a', 'b', 'c', 'd', 'e'].map(image);
  const seen = withFewImages(messages);
  expect(seen.slice(1)).toEqual(messages.slice(1));
  expect(seen[0]?.content).toEqual([
    { type: 'text', text: 'a' },
    { type: 'text', text: '[an earlier image]' },
  ]);
});
