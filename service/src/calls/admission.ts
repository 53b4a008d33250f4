/**
 * Checks a caller's request before it becomes a call: concurrency limit, decoding, authorisation, payload schema.
 *
 * The request is decoded once: the authorised payload is the one that is dispatched.
 */
import { SvcError } from '#sdk/protocol/errors';
import { NO_ACTION_VERSION } from '#sdk/protocol/http';
import type { JsonObject } from '#sdk/protocol/json-object';
import type { Limits } from '#sdk/protocol/limits';
import { requireSafeNumbers } from '#sdk/protocol/number-digits';
import { versionOf } from '../catalog/action-version';
import type { Catalog } from '../catalog/catalog';
import type { Cluster } from '../cluster/cluster';
import { sharedCount } from '../cluster/shared-counts';
import { mayFind, mayUse, type ReachDeps } from '../keys/may-find';
import { KeyedCounts } from '../lib/keyed-counts';
import { type DecodedInvocation, decodeInvocation } from '../payload/decode-invocation';
import { PayloadChecker } from '../payload/payload-checker';
import type { ActionRecord, KeyRecord } from '../store/store';
import { type WantedHold, wantedHold } from './payment';
import { findReader, READ_APP_PAGE, READ_APP_PAGE_ID } from './read-resource';
import { READ_RESULT, READ_RESULT_ID } from './result-part';

export interface AdmittedCall {
  actionId: string;
  action: ActionRecord;
  payload: JsonObject;
  payloadJson: string;
  /** Repairs that the decoder and the checker made to the payload. */
  repaired: string[];
  /** Undefined for a free action. */
  payment: WantedHold | undefined;
  /** The only version that may run; `NO_ACTION_VERSION` if the caller decided about another one than that of the check. Undefined: any. */
  actionVersion: string | undefined;
}

/** The caller's limits, and a listener. */
export interface AdmissionOptions {
  /** The most that the call may cost, in millionths. */
  maxPayment?: bigint | undefined;
  /** The version that the caller decided about. */
  actionVersion?: string | undefined;
  /** The body is a decoded call, whose payload may itself look like a call. */
  isDecoded?: boolean | undefined;
  /** Called before the action is looked up, so that a refused request has its action and payload on record. */
  onDecoded?: (decoded: DecodedInvocation) => void;
}

export interface AdmissionDeps {
  catalog: Catalog;
  rules: ReachDeps['rules'];
  cluster: Pick<Cluster, 'count'>;
  limits: Pick<Limits, 'payloadBytes' | 'invocationsPerKey'>;
}

export class Admission {
  readonly #catalog: Catalog;
  readonly #reach: ReachDeps;
  readonly #cluster: AdmissionDeps['cluster'];
  readonly #limits: AdmissionDeps['limits'];
  readonly #checker = new PayloadChecker();
  readonly #running = new KeyedCounts();

  constructor({ catalog, rules, cluster, limits }: AdmissionDeps) {
    this.#catalog = catalog;
    this.#reach = { catalog, rules };
    this.#cluster = cluster;
    this.#limits = limits;
  }

  /** Key id -> the key's requests in progress at this node. */
  get runningByKey(): ReadonlyMap<string, number> {
    return this.#running.all;
  }

  /**
   * Counts a request of the key until `leave`.
   *
   * @throws SvcError RATE_LIMITED when the key has `invocationsPerKey` requests in progress at all nodes
   */
  enter(keyId: string): void {
    const all = this.#running.of(keyId) + this.#cluster.count(sharedCount.calls, keyId);
    if (all >= this.#limits.invocationsPerKey)
      throw new SvcError('RATE_LIMITED', `${all} calls of this key are in progress, which is its limit`, { retryAfterMs: 1_000 });
    this.#running.increment(keyId);
  }

  leave(keyId: string): void {
    this.#running.decrement(keyId);
  }

  admit(key: KeyRecord, body: unknown, { maxPayment, actionVersion: decided, isDecoded, onDecoded }: AdmissionOptions = {}): AdmittedCall {
    const decoded = isDecoded ? (body as DecodedInvocation) : decodeInvocation(body);
    onDecoded?.(decoded);
    if (decoded.hasUnsafeNumber) requireSafeNumbers(JSON.stringify({ payload: decoded.payload }));
    const action = this.#authorise(key, decoded.action);
    // Before the check, whose cost grows with the payload.
    const decodedJson = this.#jsonOf(decoded.payload);
    const { payload, repaired } = this.#checker.check(action.payloadSchema, decoded.payload, decoded.repaired);
    if (action === READ_APP_PAGE) return this.#admitReading(key, String(payload.uri));
    const payloadJson = payload === decoded.payload ? decodedJson : this.#jsonOf(payload);
    const payment = wantedHold(decoded.action, action, key, maxPayment);
    const actionVersion = decided === undefined || decided === versionOf(action) ? decided : NO_ACTION_VERSION;
    return { actionId: decoded.action, action, payload, payloadJson, repaired, payment, actionVersion };
  }

  /** The call of the action that reads, which no key names itself. */
  #admitReading(key: KeyRecord, address: string): AdmittedCall {
    const { actionId, action, uri } = findReader(this.#catalog, address, (id) => mayFind(key, id, this.#reach));
    const payload = { uri };
    return { actionId, action, payload, payloadJson: JSON.stringify(payload), repaired: [], payment: undefined, actionVersion: undefined };
  }

  #jsonOf(payload: JsonObject): string {
    const json = JSON.stringify(payload);
    const { payloadBytes } = this.#limits;
    if (json.length * 3 > payloadBytes && Buffer.byteLength(json) > payloadBytes)
      throw new SvcError('REQUEST_TOO_LARGE', `A payload may have ${payloadBytes} bytes, this one has ${Buffer.byteLength(json)}`);
    return json;
  }

  #authorise(key: KeyRecord, actionId: string): ActionRecord {
    // Every key may read the rest of the results of its calls.
    if (actionId === READ_RESULT_ID) return READ_RESULT;
    if (actionId === READ_APP_PAGE_ID) return READ_APP_PAGE;
    return this.#catalog.requireAllowed(
      actionId,
      (id) => mayUse(key, id, this.#reach),
      (id) => mayFind(key, id, this.#reach),
    );
  }
}
