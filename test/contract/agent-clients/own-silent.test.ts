/** Faults of a client that show as a timeout; the contract waits a fifth of its time here. */
import '../../support/own-modules';
import { afterAll, expect, test, vi } from 'vitest';
import { type BoardFault, expectFound } from '../../../service/test/contract/board-contract';
import { BoardClient, type Post } from '../../support/board';

const TIME_LIMIT = '../../../src/agent/testing/contract/time-limit';

vi.mock('../../../src/agent/testing/contract/time-limit', async (original) => ({
  ...(await original<object>()),
  ANSWER_MS: 3_000,
  STOP_MS: 1_000,
}));
afterAll(() => void vi.resetModules());

test('a platform has 15 s for an answer, and a client 5 s for its stop', async () => {
  expect(await vi.importActual(TIME_LIMIT)).toMatchObject({ ANSWER_MS: 15_000, STOP_MS: 5_000 });
});

const FAULTS: Record<string, BoardFault> = {
  'a place that is kept beside the cursor': [
    class extends BoardClient {
      static place = 0;
      override async poll(signal: AbortSignal) {
        return (await super.poll(signal)).filter(({ number }) => number > this.places.place);
      }
      override toContext(post: Post) {
        this.places.place = post.number;
        return super.toContext(post);
      }
      get places() {
        return this.constructor as unknown as { place: number };
      }
    },
    'a message comes again when its cursor was not stored',
    /^No message came in 3 s.*: it was lost\. Waited for "message 2/,
  ],
  'one start only': [
    class extends BoardClient {
      override async start() {
        const { stopping } = this;
        await super.start();
        if (stopping.signal.aborted) this.stopping = stopping;
      }
    },
    'a client that was stopped starts again',
    /^No message came in 3 s/,
  ],
  'tries for ever': [
    class extends BoardClient {
      override refused(status: number, path: string) {
        return path.startsWith('/posts') ? undefined : super.refused(status, path);
      }
    },
    'credentials that are revoked later end receiving in words',
    /^receiveMessage with revoked credentials (has to reject with an Error, and resolved|did not end in 3 s)/,
  ],
  'a stop that ends nothing': [
    class extends BoardClient {
      override async stop() {}
    },
    'stop() ends a receive that waits',
    /^After stop\(\) the waiting receiveMessage did not end in 1 s/,
  ],
  'a receive without its signal': [
    class extends BoardClient {
      override receiveMessage() {
        return super.receiveMessage({ signal: new AbortController().signal });
      }
    },
    'a receive ends with its signal',
    /^After its signal was aborted, receiveMessage did not end in 1 s/,
  ],
};

test.concurrent.each(Object.entries(FAULTS))('the contract finds %s', (_, fault) => expectFound(fault), 60_000);
