/** What a caller sent -> a call that may run: decoded once, authorised, checked. What is authorised is exactly what is dispatched. */
import { SvcError } from '../../protocol/errors';
import type { JsonObject } from '../../protocol/json-object';
import type { Limits } from '../../protocol/limits';
import type { Catalog } from '../catalog/catalog';
import { allowed } from '../keys/allowed';
import { type DecodedInvocation, decodeInvocation } from '../payload/decode-invocation';
import { PayloadChecker } from '../payload/payload-checker';
import type { ActionRecord, KeyRecord } from '../store/store';

import { READ_RESULT, READ_RESULT_ID } from './result-part';

export interface AdmittedCall {
  actionId: string;
  action: ActionRecord;
  payload: JsonObject;
  payloadJson: string;
  /** What was understood although it was not said right. */
  repaired: string[];
}

export class Admission {
  readonly #catalog: Catalog;
  readonly #limits: Pick<Limits, 'payloadBytes'>;
  readonly #checker = new PayloadChecker();

  constructor(catalog: Catalog, limits: Pick<Limits, 'payloadBytes'>) {
    this.#catalog = catalog;
    this.#limits = limits;
  }

  /** @param onDecoded hears what was meant, before anything can be wrong with it */
  read(key: KeyRecord, body: unknown, onDecoded: (decoded: DecodedInvocation) => void = () => {}): AdmittedCall {
    const decoded = decodeInvocation(body);
    onDecoded(decoded);
    const action = this.#authorise(key, decoded.action);
    const { payload, repaired } = this.#checker.check(action.payloadSchema, decoded.payload, decoded.repaired);
    const payloadJson = JSON.stringify(payload);
    const { payloadBytes } = this.#limits;
    if (payloadJson.length * 3 > payloadBytes && Buffer.byteLength(payloadJson) > payloadBytes) {
      throw new SvcError('REQUEST_TOO_LARGE', `A payload may have ${payloadBytes} bytes, this one has ${Buffer.byteLength(payloadJson)}`);
    }
    return { actionId: decoded.action, action, payload, payloadJson, repaired };
  }

  #authorise(key: KeyRecord, actionId: string): ActionRecord {
    // What it may read is what the key has got: its own results.
    if (actionId === READ_RESULT_ID) return READ_RESULT;
    const action = this.#catalog.requireAction(actionId, (id) => allowed(key, id));
    if (!allowed(key, actionId))
      throw new SvcError(
        'ACTION_NOT_ALLOWED',
        `This key may not use "${actionId}"; ask whoever gave the key, or search for another action`,
      );
    return action;
  }
}
