/** Opens NATS if it is configured, else a bus inside this process. */
import type { Logger } from '../lib/logger';
import type { Bus } from './bus';
import { LocalBus } from './local-bus';
import type { NatsSettings } from './nats-options';

export async function openBus({ nats, logger }: { nats: NatsSettings | undefined; logger: Logger }): Promise<Bus> {
  if (!nats) return new LocalBus({ logger });
  const { openNatsBus } = await import('./nats-bus');
  return openNatsBus({ settings: nats, logger });
}
