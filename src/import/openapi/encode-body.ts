/**
 * A body in the media type of its operation.
 *
 * Errors: ActionError INVALID_FILE for a file without content.
 */
import { Buffer } from 'node:buffer';
import type { ActionContext } from 'svc-sdk';
import { isObject, type JsonObject } from '../../protocol/json-object';
import { bracketPairs, type Pair, queryPairs } from './parameter-styles';
import { encodeStrictly } from './path-value';
import type { PlannedBody } from './payload-plan';

export interface EncodedBody {
  /** Undefined: `fetch` writes it, with the boundary of the parts. */
  contentType: string | undefined;
  content: string | Uint8Array<ArrayBuffer> | FormData;
}

/** @param value the body, or the object of its fields */
export function encodeBody({ kind, mediaType, encoding, toJson }: PlannedBody, value: unknown, ctx: ActionContext): EncodedBody {
  switch (kind) {
    case 'json':
      return { contentType: mediaType, content: toJson(value) };
    case 'text':
      return { contentType: mediaType, content: typeof value === 'string' ? value : JSON.stringify(value) };
    case 'form':
      return { contentType: mediaType, content: encodePairs(formPairs(value, encoding)) };
    case 'multipart':
      return { contentType: undefined, content: toFormData(value, encoding, ctx) };
    case 'binary': {
      const file = readFile(value, ctx);
      return { contentType: mediaType || file.type || 'application/octet-stream', content: file.bytes };
    }
  }
}

export function encodePairs(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`).join('&');
}

function formPairs(value: unknown, encoding: JsonObject): Pair[] {
  if (!isObject(value)) return [['body', String(value)]];
  return Object.entries(value).flatMap(([name, field]) => {
    const said = encoding[name];
    const { style, explode, contentType } = isObject(said) ? said : {};
    if (typeof contentType === 'string' && /json/.test(contentType) && typeof field === 'object')
      return [[name, JSON.stringify(field)] as const];
    if (typeof style === 'string')
      return queryPairs({ name, style, explode: typeof explode === 'boolean' ? explode : style === 'form' }, field);
    // OpenAPI leaves objects in forms open; frameworks read brackets.
    const isDeep = isObject(field) || (Array.isArray(field) && field.some((item) => typeof item === 'object'));
    return isDeep ? bracketPairs(name, field) : queryPairs({ name, style: 'form', explode: explode !== false }, field);
  });
}

function toFormData(value: unknown, encoding: JsonObject, ctx: ActionContext): FormData {
  const form = new FormData();
  for (const [name, field] of Object.entries(isObject(value) ? value : {})) {
    const items = Array.isArray(field) && field.some(isFileValue) ? field : [field];
    for (const item of items) {
      if (item === null || item === undefined) continue;
      if (isFileValue(item)) {
        const { bytes, type, name: filename } = readFile(item, ctx);
        form.append(name, new Blob([bytes], { type }), filename);
      } else if (Array.isArray(item) && item.every((each) => typeof each !== 'object')) {
        const { style = 'form', explode = true } = isObject(encoding[name]) ? encoding[name] : {};
        const pairs = queryPairs({ name, style: String(style), explode: explode !== false }, item);
        for (const [, text] of pairs) form.append(name, text);
      } else {
        form.append(name, typeof item === 'object' ? JSON.stringify(item) : String(item));
      }
    }
  }
  return form;
}

/** The form of a file in a payload: see `fileSchema`. */
function isFileValue(value: unknown): value is JsonObject {
  return isObject(value) && (typeof value.base64 === 'string' || typeof value.text === 'string') && onlyHas(value, FILE_FIELDS);
}

const FILE_FIELDS = new Set(['filename', 'contentType', 'text', 'base64']);

function onlyHas(value: JsonObject, names: ReadonlySet<string>): boolean {
  return Object.keys(value).every((name) => names.has(name));
}

function readFile(value: unknown, ctx: ActionContext): { bytes: Uint8Array<ArrayBuffer>; type: string; name: string } {
  const { filename, contentType, text, base64 } = isObject(value) ? value : { text: value };
  const content = typeof base64 === 'string' ? Buffer.from(base64, 'base64') : typeof text === 'string' ? Buffer.from(text) : undefined;
  if (!content)
    throw ctx.error('INVALID_FILE', 'A file needs its content: {"filename": "a.csv", "text": "…"}, or "base64" for what is not text');
  const type = typeof contentType === 'string' ? contentType : typeof text === 'string' ? 'text/plain' : 'application/octet-stream';
  return { bytes: new Uint8Array(content), type, name: typeof filename === 'string' && filename !== '' ? filename : 'file' };
}
