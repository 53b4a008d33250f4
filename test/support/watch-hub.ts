/** What a test wants of a service's hub and no client can ask for. */
import { vi } from 'vitest';
import { Hub } from '../../src/service/hub/hub';

/** Call it before a toolkit connects; what it gives is the hub of the last one that did. */
export function watchHub(): () => Pick<Hub, 'askToReconnect'> {
  const connected = vi.spyOn(Hub.prototype, 'connected');
  return () => connected.mock.contexts.at(-1) as Hub;
}
