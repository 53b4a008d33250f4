/**
 * The body of an operation: the chosen media type and its encoding.
 *
 * Source: OpenAPI 3.1.1, Request Body Object, Encoding Object.
 */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import type { LeftOutPart } from '../imported-action';
import type { OpenapiDocument } from './document';
import { plainObject } from './plain-object';

type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'binary';

export interface RequestBody {
  kind: BodyKind;
  mediaType: string;
  required: boolean;
  description: string | undefined;
  schema: unknown;
  /** Name of a field -> its encoding in a form. */
  encoding: JsonObject;
}

const JSON_LINES = /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-seq)$/;
const BINARY_TYPE =
  /^(?:image|audio|video|font|model)\/|^application\/(?:octet-stream|pdf|zip|gzip|x-tar|x-gzip|x-zip-compressed|vnd\.|x-)|^\*\/\*$|^application\/\*$/;

/** A text is the reason why it cannot be sent. */
export function readRequestBody(
  body: JsonObject | undefined,
  document: OpenapiDocument,
): { body: RequestBody | undefined; leftOut: LeftOutPart[] } | string {
  const content = isObject(body?.content) ? Object.entries(body.content) : [];
  const [first] = content;
  if (!body) return { body: undefined, leftOut: [] };
  if (!first) return { body: undefined, leftOut: [{ part: 'body', why: 'the document names no media type for it' }] };
  const offers = content.map(([mediaType, media]) => toBody(mediaType.trim(), document.object(media) ?? {}, body, document));
  const hasFile = offers.some((offer) => offer?.kind === 'multipart' && hasFileField(offer.schema, document));
  const order: BodyKind[] = hasFile ? ['multipart', 'json', 'form', 'text', 'binary'] : ['json', 'form', 'multipart', 'text', 'binary'];
  const [best] = order.flatMap((kind) => offers.find((offer) => offer?.kind === kind) ?? []);
  if (!best && /^multipart\//i.test(first[0])) return 'the parts of its body have no names';
  if (!best) return `its body is ${first[0]}; JSON, forms, text, XML and files are supported`;
  const others = content.filter(([, media]) => !isDeepStrictEqual(document.object(media)?.schema ?? {}, best.schema));
  return {
    body: best,
    leftOut: others.map(([mediaType]) => ({ part: `body as ${mediaType}`, why: 'the body is sent in another of its media types' })),
  };
}

function toBody(mediaType: string, media: JsonObject, body: JsonObject, document: OpenapiDocument): RequestBody | undefined {
  const kind = kindOf(mediaType.toLowerCase(), media.schema, document);
  if (!kind) return undefined;
  return {
    kind,
    mediaType: mediaType.includes('*') ? (kind === 'json' ? 'application/json' : kind === 'text' ? 'text/plain' : '') : mediaType,
    required: body.required === true,
    description: typeof body.description === 'string' ? body.description : undefined,
    schema: media.schema ?? {},
    encoding: isObject(media.encoding) ? media.encoding : {},
  };
}

function kindOf(mediaType: string, schema: unknown, document: OpenapiDocument): BodyKind | undefined {
  const type = mediaType.split(';', 1)[0]?.trim() ?? '';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return isFile(schema, document) ? undefined : 'multipart';
  if (/^(?:application|text)\/(?:[\w.+-]+\+)?json$/.test(type)) return 'json';
  // A model can write XML; the description contains the schema.
  if (/\bxml$/.test(type)) return 'text';
  if (type.includes('*') && isStructured(schema, document)) return 'json';
  if (isFile(schema, document)) return 'binary';
  // Several values, which one JSON value cannot hold.
  if (JSON_LINES.test(type)) return 'text';
  // JSON in a vendor's type, such as `application/vnd.github.v3`.
  if (/\bjson\b/.test(type) || (type.startsWith('application/') && isStructured(schema, document))) return 'json';
  if (type.startsWith('text/') || /^application\/(?:yaml|x-yaml|graphql|javascript|sql|jwt)$/.test(type)) return 'text';
  return BINARY_TYPE.test(type) ? 'binary' : undefined;
}

function isStructured(schema: unknown, document: OpenapiDocument): boolean {
  const { type, properties, items, allOf, anyOf, oneOf } = document.object(schema) ?? {};
  return ['object', 'array'].some((name) => [type].flat().includes(name)) || [properties, items, allOf, anyOf, oneOf].some(Boolean);
}

/** True for the bytes of a file: OpenAPI 3.0 says `format: binary`, 3.1 `contentMediaType`. */
export function isFile(schema: unknown, document: OpenapiDocument): boolean {
  const { type, format, contentMediaType, contentEncoding } = document.object(schema) ?? {};
  if (type === 'file' || format === 'binary') return true;
  return typeof contentMediaType === 'string' && contentEncoding === undefined && !/json|^text\//.test(contentMediaType);
}

/** True for a file, and for a list of files. */
export function isFileField(schema: unknown, document: OpenapiDocument): boolean {
  return isFile(schema, document) || isFile(document.object(schema)?.items, document);
}

function hasFileField(schema: unknown, document: OpenapiDocument): boolean {
  const properties = plainObject(schema, document)?.properties;
  return isObject(properties) && Object.values(properties).some((field) => isFileField(field, document));
}
