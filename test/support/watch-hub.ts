/** The toolkit sockets of a service, for data that no client can request. */
import { vi } from 'vitest';
import { Hub } from '../../service/src/hub/hub';
import type { ToolkitSockets } from '../../service/src/hub/toolkit-sockets';

/** Call it before a toolkit connects; it returns the sockets of the service that the last toolkit connected to. */
export function watchHub(): () => Pick<ToolkitSockets, 'askToReconnect'> {
  const accept = vi.spyOn(Hub.prototype, 'accept');
  return () => (accept.mock.contexts.at(-1) as Hub).sockets;
}
