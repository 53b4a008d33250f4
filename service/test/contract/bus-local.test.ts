import { expect, test } from 'vitest';
import { LocalBus } from '../../src/bus/local-bus';
import { LocalExchange } from '../../src/bus/local-exchange';
import { busContract, failOnError, settle, unexpected } from './bus';

busContract('local', async () => {
  const exchange = new LocalExchange();
  return async (logger) => new LocalBus({ exchange, logger });
});

test('buses that share no exchange receive no messages of each other', async () => {
  const alone = new LocalBus({ logger: failOnError() });
  const other = new LocalBus({ logger: failOnError() });
  other.subscribe('news', unexpected);
  alone.publish('news', 'hello');
  await settle(alone, other);
  await new Promise<void>((resolve) => alone.ask('news', 'call', { answer: unexpected, noResponder: resolve }));
});

test('a listener that another listener stops does not receive the message that was sent to both', async () => {
  const bus = new LocalBus({ logger: failOnError() });
  bus.subscribe('news', () => stop());
  const stop = bus.subscribe('news', unexpected);
  bus.publish('news', 'hello');
  await settle(bus);
  expect(bus.connected).toBe(true);
});
