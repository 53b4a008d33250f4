import pino from 'pino';
import { expect, test } from 'vitest';
import { BackgroundWork } from '../../../src/lib/background-work';
import { silentLogger } from '../../../src/lib/logger';

test('settled waits for what has begun, and for what that begins', async () => {
  const work = new BackgroundWork(silentLogger);
  const ended: string[] = [];
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  void work.run(
    first.promise.then(() => {
      void work.run(
        second.promise.then(() => ended.push('second')),
        'the second failed',
      );
      ended.push('first');
    }),
    'the first failed',
  );
  let isSettled = false;
  const settled = work.settled().then(() => {
    isSettled = true;
  });
  first.resolve();
  await new Promise(setImmediate);
  expect([ended, isSettled]).toEqual([['first'], false]);
  second.resolve();
  await settled;
  expect(ended).toEqual(['first', 'second']);
});

test('a failure is logged with its text, and settled does not reject', async () => {
  const lines: string[] = [];
  const work = new BackgroundWork(pino({}, { write: (line: string) => void lines.push(line) }));
  void work.run(Promise.reject(new Error('no database')), 'cannot look');
  await work.settled();
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 50, msg: 'cannot look' });
});
