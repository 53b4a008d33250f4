/**
 * The encoding of each property of a multipart body: its media type, its headers, its style.
 *
 * Source: OpenAPI 3.1.1, Encoding Object and "Encoding `multipart` Media Types".
 */
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import type { OpenapiDocument } from './document';
import { bodyJson } from './large-integers';
import type { ParameterStyle } from './parameter-styles';
import { plainObject } from './plain-object';
import type { RequestBody } from './request-body';

export interface PartPlan {
  name: string;
  /** Allowed media types of the part, also with wildcards. Empty: depends on the value. */
  mediaTypes: readonly string[];
  headers: readonly (readonly [name: string, value: string])[];
  /** Undefined: each item of a list is a part, and an object is JSON. */
  style: ParameterStyle | undefined;
  toJson: (value: unknown) => string;
}

const MEDIA_TYPE = /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+(?:\s*;[\x20-\x7e]*)?$/;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\x20-\x7e]*$/;

export function isMediaType(text: string): boolean {
  return MEDIA_TYPE.test(text);
}

/** The parts, in the order of the document: in `multipart/related` the first is the root. */
export function planParts({ kind, schema, encoding }: RequestBody, document: OpenapiDocument): PartPlan[] {
  const properties = kind === 'multipart' ? plainObject(schema, document)?.properties : undefined;
  if (!isObject(properties)) return [];
  return Object.entries(properties).map(([name, property]) => {
    const said = document.object(encoding[name]) ?? {};
    const { items } = document.object(property) ?? {};
    const single = document.object(items ?? property) ?? {};
    return {
      name,
      mediaTypes: mediaTypesOf(said, single),
      headers: headersOf(said, single, document),
      style: styleOf(name, said),
      toJson: (value) => bodyJson(value, items ?? property, document),
    };
  });
}

function mediaTypesOf({ contentType }: JsonObject, { contentMediaType }: JsonObject): string[] {
  const listed = typeof contentType === 'string' ? contentType.split(',') : typeof contentMediaType === 'string' ? [contentMediaType] : [];
  return listed.map((type) => type.trim()).filter(isMediaType);
}

/** Headers with one fixed value in the document: payloads set no header of a part. */
function headersOf({ headers }: JsonObject, { contentEncoding }: JsonObject, document: OpenapiDocument): (readonly [string, string])[] {
  const stated = Object.entries(isObject(headers) ? headers : {}).flatMap(([name, header]) => {
    const schema = document.object(document.object(header)?.schema) ?? {};
    const value = schema.const ?? schema.default ?? (Array.isArray(schema.enum) && schema.enum.length === 1 ? schema.enum[0] : undefined);
    return value === undefined || /^content-(?:type|disposition)$/i.test(name) ? [] : [[name, String(value)] as const];
  });
  const encoded = typeof contentEncoding === 'string' ? [['Content-Transfer-Encoding', contentEncoding] as const] : [];
  return [...new Map([...encoded, ...stated])].filter(([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value));
}

function styleOf(name: string, { style, explode }: JsonObject): ParameterStyle | undefined {
  if (typeof style !== 'string' && typeof explode !== 'boolean') return undefined;
  const known = typeof style === 'string' ? style : 'form';
  return { name, style: known, explode: typeof explode === 'boolean' ? explode : known === 'form' };
}
