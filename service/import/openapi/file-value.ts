/** Files in payloads: `{ filename, contentType, text | base64 }`, see `fileSchema`. */
import { Buffer } from 'node:buffer';
import type { ActionContext } from 'svc-sdk';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { isMediaType } from './multipart-parts';

export interface FileContent {
  bytes: Buffer;
  /** Undefined: not in the payload. */
  contentType: string | undefined;
  defaultType: string;
  name: string;
}

const FIELDS = new Set(['filename', 'contentType', 'text', 'base64']);

export function isFileValue(value: unknown): value is JsonObject {
  const isContent = isObject(value) && (typeof value.base64 === 'string' || typeof value.text === 'string');
  return isContent && Object.keys(value).every((name) => FIELDS.has(name));
}

/** A plain text is a file, too. Throws INVALID_FILE. */
export function readFile(value: unknown, ctx: Pick<ActionContext, 'error'>): FileContent {
  const { filename, contentType, text, base64 } = isObject(value) ? value : { text: value };
  const content = typeof base64 === 'string' ? Buffer.from(base64, 'base64') : typeof text === 'string' ? Buffer.from(text) : undefined;
  if (!content)
    throw ctx.error('INVALID_FILE', 'A file needs its content: {"filename": "a.csv", "text": "…"}, or "base64" for what is not text');
  if (typeof contentType === 'string' && !isMediaType(contentType))
    throw ctx.error('INVALID_FILE', 'The contentType of a file is a media type, such as "text/csv"');
  return {
    bytes: content,
    contentType: typeof contentType === 'string' ? contentType : undefined,
    defaultType: typeof base64 === 'string' ? 'application/octet-stream' : 'text/plain',
    name: typeof filename === 'string' && filename !== '' ? filename : 'file',
  };
}
