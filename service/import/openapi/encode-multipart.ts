/**
 * A multipart body: one part for each property, and for each item of a list.
 *
 * Errors: ActionError INVALID_FILE, INVALID_LIST_VALUE.
 * Source: RFC 2046, section 5.1; RFC 7578; RFC 2387 for `multipart/related`.
 */
import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { ActionContext } from 'svc-sdk';
import { isFileValue, readFile } from './file-value';
import type { PartPlan } from './multipart-parts';
import { queryPairs } from './parameter-styles';

export interface MultipartBody {
  contentType: string;
  content: Uint8Array<ArrayBuffer>;
}

interface Part {
  name: string;
  filename?: string;
  contentType: string;
  headers: PartPlan['headers'];
  content: string | Uint8Array;
}

const FORM_DATA = 'multipart/form-data';
const LINE_END = '\r\n';

/** @param mediaType of the whole body, such as `multipart/related`; empty: `multipart/form-data` */
export function encodeMultipart(
  mediaType: string,
  plans: readonly PartPlan[],
  fields: Readonly<Record<string, unknown>>,
  ctx: Pick<ActionContext, 'error'>,
): MultipartBody {
  const [type = ''] = (mediaType || FORM_DATA).split(';', 1);
  const planned = new Set(plans.map(({ name }) => name));
  const others = Object.keys(fields).filter((name) => !planned.has(name));
  const all = [...plans, ...others.map(unplanned)].filter(({ name }) => Object.hasOwn(fields, name));
  const parts = all.flatMap((plan) => partsOf(plan, fields[plan.name], ctx));
  const boundary = `svc-sdk-${randomUUID()}`;
  const chunks = parts.flatMap((part) => [`--${boundary}${LINE_END}${headOf(part, type)}${LINE_END}${LINE_END}`, part.content, LINE_END]);
  const root = /\/related$/i.test(type) && parts[0] ? ` type=${JSON.stringify(parts[0].contentType)};` : '';
  return {
    contentType: `${type.trim()};${root} boundary=${boundary}`,
    content: new Uint8Array(Buffer.concat([...chunks, `--${boundary}--${LINE_END}`].map((chunk) => Buffer.from(chunk as string)))),
  };
}

/** A property that the document does not name. */
function unplanned(name: string): PartPlan {
  return { name, mediaTypes: [], headers: [], style: undefined, toJson: JSON.stringify };
}

function partsOf(plan: PartPlan, value: unknown, ctx: Pick<ActionContext, 'error'>): Part[] {
  const { style, headers } = plan;
  const items = (Array.isArray(value) ? value : [value]).filter((item) => item !== null && item !== undefined);
  // A file is a separate part, with any separator of texts.
  if (style && !items.some(isFileValue)) {
    const pairs = queryPairs(style, value, { encode: (text) => text, ctx });
    return pairs.map(([key, content]) => ({ name: key, contentType: 'text/plain', headers, content }));
  }
  return items.map((item) => toPart(plan, item, ctx));
}

function toPart({ name, mediaTypes, headers, toJson }: PartPlan, value: unknown, ctx: Pick<ActionContext, 'error'>): Part {
  if (isFileValue(value)) {
    const { bytes, contentType, defaultType, name: filename } = readFile(value, ctx);
    const allowed = contentType !== undefined && fitsAny(contentType, mediaTypes) ? contentType : mediaTypes.find(isExact);
    return { name, filename, contentType: allowed ?? contentType ?? defaultType, headers, content: bytes };
  }
  const isStructured = typeof value === 'object';
  const contentType = mediaTypes.find(isExact) ?? (isStructured ? 'application/json' : 'text/plain');
  const isJson = isStructured || (/\bjson\b/.test(contentType) && !isJsonText(value));
  return { name, contentType, headers, content: isJson ? toJson(value) : String(value) };
}

/** A model may have written the JSON text itself if the document declares a text. */
function isJsonText(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return false;
  try {
    return JSON.parse(value) !== undefined;
  } catch {
    return false;
  }
}

function headOf({ name, filename, contentType, headers }: Part, type: string): string {
  const file = filename === undefined ? '' : `; filename="${quoted(filename)}"`;
  // Forms omit the type of a text, and some servers treat a part with a type as a file.
  const isPlain = filename === undefined && contentType === 'text/plain' && type === FORM_DATA;
  return [
    `Content-Disposition: form-data; name="${quoted(name)}"${file}`,
    ...(isPlain ? [] : [`Content-Type: ${contentType}`]),
    ...headers.map(([header, value]) => `${header}: ${value}`),
  ].join(LINE_END);
}

/** Escapes like browsers: WHATWG HTML, "escape a multipart/form-data name". */
function quoted(text: string): string {
  return text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

function isExact(mediaType: string): boolean {
  return !mediaType.includes('*');
}

function fitsAny(contentType: string, mediaTypes: readonly string[]): boolean {
  const [type = '', subtype] = contentType.split(';', 1)[0]?.trim().toLowerCase().split('/') ?? [];
  return mediaTypes.some((each) => {
    const [wanted, wantedSubtype] = each.split(';', 1)[0]?.trim().toLowerCase().split('/') ?? [];
    return (wanted === '*' || wanted === type) && (wantedSubtype === '*' || wantedSubtype === subtype);
  });
}
