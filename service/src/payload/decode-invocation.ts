/**
 * Decodes the body of `POST /v1/invoke` and repairs slips 1 to 3 of docs/protocol.md, section 5.
 *
 * Wrappers are removed from outside in, and each decision is made once. An `action` beside a wrapper always wins, so a field of a payload
 * cannot replace the action that the caller wrote.
 *
 * Errors: INVALID_REQUEST without a recognisable action or for a JSON text that is nested too deep, INVALID_PAYLOAD when the payload is not
 *         an object.
 */
import { SvcError } from '#sdk/protocol/errors';
import { parseExactJson } from '#sdk/protocol/exact-number';
import { requireFlatJson } from '#sdk/protocol/json-depth';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { isUnsafeNumber } from '#sdk/protocol/number-digits';
import { inWords } from './in-words';
import { jsonFault } from './plain-json';

export interface DecodedInvocation {
  /** Action id, not looked up yet. */
  action: string;
  payload: JsonObject;
  /** One sentence for each slip. */
  repaired: string[];
  /** The payload has an `ExactNumber`, which is not allowed. */
  hasUnsafeNumber: boolean;
}

/** Levels of nesting in a payload: more than real payloads have, and far from a stack overflow. */
const MAX_PAYLOAD_DEPTH = 256;
/** Limit of JSON texts inside JSON texts. */
const MAX_ENCODINGS = 4;
const TOOL_NAME = 'invoke_service';
const HINT = 'send {"action": "<id from search_services>", "payload": {…}}';

/** Does not change `body`. The payload may share parts with `body`. */
export function decodeInvocation(body: unknown): DecodedInvocation {
  const repaired: string[] = [];
  const { action, payload } = unwrap(decodeText(body, 'The body', repaired), repaired);
  const found = jsonFault(payload, MAX_PAYLOAD_DEPTH);
  if (found?.fault === 'depth') throw invalidPayload(`is nested more than ${MAX_PAYLOAD_DEPTH} levels deep; send a flatter one`);
  if (found?.fault === 'name') throw invalidPayload('holds the name "__proto__", which is never accepted; rename or remove it');
  return { action, payload, repaired, hasUnsafeNumber: found !== undefined };
}

function unwrap(body: unknown, repaired: string[]): { action: string; payload: JsonObject } {
  if (!isObject(body)) throw new SvcError('INVALID_REQUEST', `The body is ${inWords(body)}, not an object; ${HINT}`);
  const call = callInside(body, repaired) ?? body;
  const { action, payload, ...rest } = call;
  if (typeof action !== 'string' || action === '')
    throw new SvcError('INVALID_REQUEST', `The body has no "action" (it has to be a text); ${HINT}`);
  return { action, payload: payloadOf(action, payload, rest, repaired) };
}

/** Unwraps `{invoke_service: call}` and `{payload: call}`, also with the tool's name as `action`. */
function callInside(body: JsonObject, repaired: string[]): JsonObject | undefined {
  const { action, ...rest } = body;
  const [wrapper = '', ...others] = Object.keys(rest);
  if ((action !== undefined && action !== TOOL_NAME) || others.length > 0 || (wrapper !== TOOL_NAME && wrapper !== 'payload'))
    return undefined;
  const notes: string[] = [];
  const call = decodeText(rest[wrapper], `"${wrapper}"`, notes);
  if (!isObject(call) || typeof call.action !== 'string') return undefined;
  repaired.push(...notes, `"action" and "payload" were nested in "${wrapper}"; they belong at the top level`);
  return call;
}

function payloadOf(action: string, written: unknown, rest: JsonObject, repaired: string[]): JsonObject {
  const decoded = decodeText(written, '"payload"', repaired);
  if (decoded !== undefined && decoded !== null && !isObject(decoded))
    throw invalidPayload(`is ${inWords(decoded)}, not a JSON object; send an object such as {"name": "value"}, or {} for none`);
  const payload = sameCallInside(action, decoded ?? {}, repaired);
  const names = Object.keys(rest);
  if (names.length === 0) return payload;
  if (Object.keys(payload).length > 0) {
    const problem = `${names
      .slice(0, 5)
      .map((name) => inWords(name))
      .join(', ')} beside "action" and "payload"`;
    throw new SvcError('INVALID_REQUEST', `The body has ${problem}; move what belongs to the payload into "payload"`);
  }
  repaired.push('The payload was beside "action"; it belongs into "payload"');
  return rest;
}

/** Unwraps a payload that contains the same call again. */
function sameCallInside(action: string, payload: JsonObject, repaired: string[]): JsonObject {
  const { action: inner, payload: innerPayload, ...rest } = payload;
  if (inner !== action || Object.keys(rest).length > 0) return payload;
  const decoded = decodeText(innerPayload, '"payload"', []);
  if (!isObject(decoded)) return payload;
  repaired.push('"action" and "payload" were nested in "payload"; they belong at the top level');
  return decoded;
}

/** Decodes a JSON text of an object or null. Other values are returned unchanged. */
function decodeText(value: unknown, what: string, repaired: string[]): unknown {
  let decoded = value;
  for (let level = 0; typeof decoded === 'string' && level < MAX_ENCODINGS; level++) decoded = parseJson(decoded, what);
  if (decoded === value || (!isObject(decoded) && decoded !== null)) return value;
  repaired.push(`${what} was a JSON text; send it as an object`);
  return decoded;
}

/** Undefined for a text that is not JSON. */
function parseJson(text: string, what: string): unknown {
  requireFlatJson(text, what);
  try {
    return parseExactJson(text, isUnsafeNumber);
  } catch {
    return undefined;
  }
}

function invalidPayload(problem: string): SvcError {
  return new SvcError('INVALID_PAYLOAD', `The payload ${problem}`);
}
