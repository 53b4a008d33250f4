/** Records requests that were refused before they became calls. */
import type { SvcError } from '#sdk/protocol/errors';
import { callerOf } from '../keys/caller-ids';
import type { InvocationStore } from '../store/store';
import type { CallObservers, ObservedRequest } from './call-observer';
import type { CallRequest } from './call-request';
import { newInvocationId } from './invocation-id';

export interface RefusedRequestsDeps {
  store: Pick<InvocationStore, 'refused'>;
  observers: Pick<CallObservers, 'callRefused'>;
}

export class RefusedRequests {
  readonly #deps: RefusedRequestsDeps;

  constructor(deps: RefusedRequestsDeps) {
    this.#deps = deps;
  }

  /** Returns the error, to be thrown. */
  record(
    { key, callerIds, searchId, madeBy }: CallRequest,
    { payload, startedAt }: { payload: unknown; startedAt: number },
    { askedAction: action = '', startedAt: arrivedAt }: ObservedRequest,
    error: SvcError,
  ): SvcError {
    const id = newInvocationId();
    const record = { id, agentKeyId: key.id, idempotencyKey: null, requestHash: '', action, startedAt, madeBy, origin: key.origin };
    const took = Math.round((performance.now() - arrivedAt) * 10);
    this.#deps.store.refused(record, { code: error.code, body: null, endedAt: Date.now(), took });
    this.#deps.observers.callRefused({ record, startedAt: arrivedAt, payload, error, callerIds: callerOf(key, callerIds), searchId });
    return error;
  }
}
