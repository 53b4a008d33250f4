/**
 * A body in the media type of its operation.
 *
 * Errors: ActionError INVALID_FILE for a file without content, INVALID_LIST_VALUE.
 */
import type { ActionContext } from 'svc-sdk';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { encodeMultipart } from './encode-multipart';
import { readFile } from './file-value';
import { bracketPairs, encodedPair, joinPairs, type Pair, queryPairs } from './parameter-styles';
import { encodeStrictly } from './path-value';
import type { PlannedBody } from './payload-plan';

export interface EncodedBody {
  contentType: string;
  content: string | Uint8Array<ArrayBuffer>;
}

/** @param value the body, or the object of its fields */
export function encodeBody({ kind, mediaType, encoding, parts, toJson }: PlannedBody, value: unknown, ctx: ActionContext): EncodedBody {
  switch (kind) {
    case 'json':
      return { contentType: mediaType, content: toJson(value) };
    case 'text':
      return { contentType: mediaType, content: typeof value === 'string' ? value : JSON.stringify(value) };
    case 'form':
      return { contentType: mediaType, content: joinPairs(formPairs(value, encoding, ctx), '&') };
    case 'multipart':
      return encodeMultipart(mediaType, parts, isObject(value) ? value : {}, ctx);
    case 'binary': {
      const { bytes, contentType, defaultType } = readFile(value, ctx);
      return { contentType: mediaType || (contentType ?? defaultType), content: new Uint8Array(bytes) };
    }
  }
}

function formPairs(value: unknown, encoding: JsonObject, ctx: ActionContext): Pair[] {
  if (!isObject(value)) return [encodedPair('body', String(value))];
  const writing = { encode: encodeStrictly, ctx };
  return Object.entries(value).flatMap(([name, field]) => {
    const said = encoding[name];
    const { style, explode, contentType } = isObject(said) ? said : {};
    if (typeof contentType === 'string' && /json/.test(contentType) && typeof field === 'object')
      return [encodedPair(name, JSON.stringify(field))];
    if (typeof style === 'string')
      return queryPairs({ name, style, explode: typeof explode === 'boolean' ? explode : style === 'form' }, field, writing);
    // OpenAPI does not define objects in forms; frameworks read brackets.
    const isDeep = isObject(field) || (Array.isArray(field) && field.some((item) => typeof item === 'object'));
    return isDeep
      ? bracketPairs(name, field, encodeStrictly)
      : queryPairs({ name, style: 'form', explode: explode !== false }, field, writing);
  });
}
