/** The connections that the service keeps. */
import { SvcError } from '#sdk/protocol/errors';
import type { CallConnections } from '../connections/call-connections';

export function openConnections(): CallConnections {
  const refuse = async (): Promise<never> => {
    throw new SvcError('CONNECTION_REQUIRED', 'This service keeps no connections');
  };
  return { open: refuse, renew: refuse, required: async (_ask, reason) => new SvcError('CONNECTION_REQUIRED', reason) };
}
