/** Loads the NATS client on first use: most services are one node and need no NATS. */
import { packageError } from '#sdk/protocol/package-error';

export type NatsModule = typeof import('@nats-io/transport-node');

export async function loadNats(): Promise<NatsModule> {
  try {
    return await import('@nats-io/transport-node');
  } catch (error) {
    throw packageError('NATS', '@nats-io/transport-node', error);
  }
}
