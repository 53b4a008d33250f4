/** The client of NATS, loaded when it is used: most services are one node. */
import { SvcError } from '../../protocol/errors';

export type NatsModule = typeof import('@nats-io/transport-node');

export async function loadNats(): Promise<NatsModule> {
  try {
    return await import('@nats-io/transport-node');
  } catch (error) {
    const message = 'NATS needs the package "@nats-io/transport-node", which cannot be loaded; run: npm install @nats-io/transport-node';
    throw new SvcError('INVALID_REQUEST', message, {}, { cause: error });
  }
}
