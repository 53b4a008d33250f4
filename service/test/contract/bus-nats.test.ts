// @module-tag nats
import { afterAll, beforeAll } from 'vitest';
import { type NatsServer, openNats } from '../../../test/support/nats';
import { openNatsBus } from '../../src/bus/nats-bus';
import { readNatsOptions } from '../../src/bus/nats-options';
import type { Logger } from '../../src/lib/logger';
import { busContract } from './bus';

let server: Awaited<ReturnType<typeof openNats>>;
let small: Awaited<ReturnType<typeof openNats>>;
let exchanges = 0;
beforeAll(async () => {
  [server, small] = await Promise.all([openNats(), openNats('max_payload: 65536')]);
});
afterAll(async () => {
  for (const nats of [server, small]) {
    await nats.stop('SIGKILL');
    nats.removeFiles();
  }
});

/** Each test has its own prefix. */
const exchangeOn = (nats: () => NatsServer) => async () => {
  const settings = readNatsOptions({ servers: nats().url, prefix: `test-${++exchanges}` });
  return (logger: Logger) => openNatsBus({ settings, logger });
};

busContract(
  'nats',
  exchangeOn(() => server),
);
busContract(
  'nats with a small max_payload',
  exchangeOn(() => small),
);
