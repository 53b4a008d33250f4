/** The request of a call's first attempt at this node, from its record and what its caller, another node or the store adds. */
import type { AttemptRequest } from '../hub/attempt';
import type { InvocationStart } from '../store/store';
import { shownHold } from './payment';

type OfTheRecord = 'id' | 'agentId' | 'payment';

export function attemptRequest(record: InvocationStart, rest: Omit<AttemptRequest, OfTheRecord>): AttemptRequest {
  return { id: record.id, agentId: record.agentKeyId, payment: shownHold(record.hold), ...rest };
}
