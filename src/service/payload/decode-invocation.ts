/**
 * Decodes the body of `POST /v1/invoke` to the call that is authorised, checked and dispatched: docs/protocol.md, section 5, slips 1 to 3.
 *
 * The wrapping comes off from outside in; an outer decision is never repeated further in. An `action` beside it always wins, so no
 * field of a payload can name another action than the one that the caller wrote.
 *
 * Errors: INVALID_REQUEST when no action can be made out or a JSON text is nested too deep, INVALID_PAYLOAD when the payload is not an object.
 */
import { SvcError } from '../../protocol/errors';
import { parseExactJson } from '../../protocol/exact-number';
import { requireFlatJson } from '../../protocol/json-depth';
import { isObject, type JsonObject } from '../../protocol/json-object';
import { isUnsafeNumber } from '../../protocol/number-digits';
import { inWords } from './in-words';
import { jsonFault } from './plain-json';

export interface DecodedInvocation {
  /** Action id; whether it exists is not known here. */
  action: string;
  payload: JsonObject;
  /** One sentence for each slip. */
  repaired: string[];
  /** The payload has an `ExactNumber`, which no payload may have. */
  hasUnsafeNumber: boolean;
}

/** Levels of nesting in a payload: far more than anybody needs, far less than overflows a stack. */
const MAX_PAYLOAD_DEPTH = 256;
/** A text in a text in a text; each doubles the backslashes. */
const MAX_ENCODINGS = 4;
const TOOL_NAME = 'invoke_service';
const HINT = 'send {"action": "<id from search_services>", "payload": {…}}';

/** Never changes `body`; the payload may share parts with it. */
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

/** `{invoke_service: call}` or `{payload: call}`, also with the tool's own name where the action should stand. */
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
  repaired.push('The payload stood beside "action"; it belongs into "payload"');
  return rest;
}

/** The whole call once more where the payload belongs. */
function sameCallInside(action: string, payload: JsonObject, repaired: string[]): JsonObject {
  const { action: inner, payload: innerPayload, ...rest } = payload;
  if (inner !== action || Object.keys(rest).length > 0) return payload;
  const decoded = decodeText(innerPayload, '"payload"', []);
  if (!isObject(decoded)) return payload;
  repaired.push('"action" and "payload" were nested in "payload"; they belong at the top level');
  return decoded;
}

/** Anything but a JSON text of an object (or of nothing) stays as it is. */
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
