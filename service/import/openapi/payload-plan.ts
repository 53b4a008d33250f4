/**
 * The place of each payload field in the request. Parameters and the fields of an object body are side by side; a body that is not a plain list of
 * fields, or shares a name with a parameter, is the field `body`.
 */
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import type { LeftOutPart } from '../imported-action';
import type { OpenapiDocument } from './document';
import { isIdempotencyHeader } from './idempotency-header';
import { bodyJson } from './large-integers';
import { type PartPlan, planParts } from './multipart-parts';
import type { Operation, OperationParameter } from './operations';
import { isReadOnly, plainObject } from './plain-object';
import { isFile, isFileField, type RequestBody, readRequestBody } from './request-body';
import { subtypesOf } from './subtypes';

export interface PayloadPlan {
  /** A schema of the document: references stay. */
  schema: JsonObject;
  parameters: readonly { field: string; parameter: OperationParameter }[];
  body: PlannedBody | undefined;
  /** Parts of the operation that payloads cannot contain. */
  leftOut: readonly LeftOutPart[];
}

export interface PlannedBody extends RequestBody {
  /** The field of the whole body; undefined: all fields that are not parameters. */
  field: string | undefined;
  toJson: (value: unknown) => string;
  /** Empty for a body that is not multipart. */
  parts: readonly PartPlan[];
}

/** Fields of a text body, named in its description. */
const MAX_SHOWN_FIELDS = 30;

/** Headers that the request sets. */
const OWN_HEADERS = new Set(
  'accept accept-encoding authorization connection content-length content-type cookie expect host keep-alive proxy-authorization te trailer transfer-encoding upgrade user-agent'.split(
    ' ',
  ),
);

/**
 * A text is the reason why the operation cannot be called.
 *
 * @param fixed headers and query parameters of the operator, as `header x-version` in lower case
 */
export function planPayload(operation: Operation, document: OpenapiDocument, fixed: ReadonlySet<string>): PayloadPlan | string {
  const read = readRequestBody(operation.requestBody, document);
  if (typeof read === 'string') return read;
  const { method } = operation;
  const isSent = method !== 'GET' && method !== 'HEAD';
  if (read.body && !isSent && read.body.required && !isEmptyBody(read.body, document))
    return `a ${method} request has no body, and this one needs it`;
  const given = operation.parameters.filter(({ in: place, name }) => !fixed.has(`${place} ${name.toLowerCase()}`));
  const parameters = given.filter((parameter) => !isOwnHeader(parameter) && !isIdempotencyHeader(parameter));
  const leftOut = [
    ...given.filter(isOwnHeader).map(({ name }) => ({ part: `header ${name}`, why: 'the request itself sets it' })),
    ...(isSent ? read.leftOut : []),
    ...(read.body && !isSent && !isEmptyBody(read.body, document) ? [{ part: 'body', why: `a ${method} request has no body` }] : []),
  ];
  return { ...planFields(parameters, isSent ? read.body : undefined, document), leftOut };
}

function isOwnHeader({ in: place, name }: OperationParameter): boolean {
  return place === 'header' && OWN_HEADERS.has(name.toLowerCase());
}

type PlannedFields = Omit<PayloadPlan, 'leftOut'>;

function planFields(parameters: readonly OperationParameter[], body: RequestBody | undefined, document: OpenapiDocument): PlannedFields {
  if (!body) return withFields(namedParameters(parameters, new Set()), undefined, document);
  const fields = flatFields(body, document);
  const named = namedParameters(parameters, new Set(fields ? [] : ['body']));
  const clash = fields && named.some(({ field }) => Object.hasOwn(fields.properties, field));
  const toJson = (value: unknown) => bodyJson(value, body.schema, document);
  const planned = { ...body, toJson, parts: planParts(body, document) };
  if (fields && !clash) return withFields(named, { body: { ...planned, field: undefined }, fields }, document);
  return withFields(namedParameters(parameters, new Set(['body'])), { body: { ...planned, field: 'body' }, fields: undefined }, document);
}

interface FlatFields {
  properties: JsonObject;
  required: unknown[];
  additionalProperties: unknown;
}

function flatFields(body: RequestBody, document: OpenapiDocument): FlatFields | undefined {
  if (body.kind === 'text' || body.kind === 'binary' || hasSubtypes(body.schema, document)) return undefined;
  const object = plainObject(body.schema, document);
  if (!object || object.nullable === true || !isObject(object.properties) || Object.keys(object.properties).length === 0) return undefined;
  const sent = Object.fromEntries(Object.entries(object.properties).filter(([, field]) => !isReadOnly(field, document)));
  const properties = body.kind === 'multipart' ? withFiles(sent, document) : isMergePatch(body) ? withNulls(sent) : sent;
  const required = Array.isArray(object.required) ? object.required : [];
  return {
    properties,
    required: required.filter((name) => Object.hasOwn(sent, name) || !Object.hasOwn(object.properties as JsonObject, name)),
    additionalProperties: object.additionalProperties,
  };
}

function isMergePatch({ mediaType }: RequestBody): boolean {
  return /^application\/merge-patch\+json\b/i.test(mediaType);
}

/** A `null` removes a field: RFC 7396. */
function withNulls(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, isObject(field) ? { ...field, nullable: true } : field]),
  );
}

/** True also within an `allOf` that only adds texts. */
function hasSubtypes(schema: unknown, document: OpenapiDocument): boolean {
  const { allOf } = document.object(schema) ?? {};
  const [part, ...others] = Array.isArray(allOf) ? allOf : [];
  const wrapped = others.length === 0 && part !== undefined ? part : schema;
  return [schema, wrapped].some((each) => subtypesOf(each, document) !== undefined);
}

/** Parameters with their fields. Equal names, such as a path and a query `id`, get the place as suffix: `id`, `id_query`. */
function namedParameters(parameters: readonly OperationParameter[], taken: Set<string>): PayloadPlan['parameters'] {
  return parameters.map((parameter) => {
    let field = parameter.name;
    while (taken.has(field)) field += `_${parameter.in}`;
    taken.add(field);
    return { field, parameter };
  });
}

function withFields(
  parameters: PayloadPlan['parameters'],
  planned: { body: PlannedBody; fields: FlatFields | undefined } | undefined,
  document: OpenapiDocument,
): PlannedFields {
  const properties: [string, unknown][] = parameters.map(({ field, parameter }) => [field, parameterSchema(parameter)]);
  const required: unknown[] = parameters.filter(({ parameter }) => parameter.required).map(({ field }) => field);
  let open: unknown;
  if (planned?.fields) {
    properties.push(...Object.entries(planned.fields.properties));
    required.push(...planned.fields.required);
    open = planned.fields.additionalProperties;
  } else if (planned) {
    properties.push(['body', bodySchema(planned.body, document)]);
    if (planned.body.required) required.push('body');
  }
  const schema = { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
  return { schema: open === undefined ? schema : { ...schema, additionalProperties: open }, parameters, body: planned?.body };
}

function parameterSchema({ schema, description }: OperationParameter): unknown {
  if (description === undefined) return schema;
  return isObject(schema) ? { ...schema, description } : { description };
}

function bodySchema(body: RequestBody, document: OpenapiDocument): unknown {
  const schema =
    body.kind === 'binary'
      ? fileSchema(body.description ?? 'The file to send.')
      : body.kind === 'text'
        ? textSchema(body, document)
        : body.schema;
  const files = body.kind === 'multipart' ? plainObject(schema, document) : undefined;
  if (files && isObject(files.properties)) return { ...files, properties: withFiles(files.properties, document) };
  const hasText = isObject(schema) && typeof schema.description === 'string';
  return hasText || body.description === undefined || !isObject(schema) ? schema : { ...schema, description: body.description };
}

function textSchema({ schema, mediaType }: RequestBody, document: OpenapiDocument): JsonObject {
  const { description } = document.object(schema) ?? {};
  const fields = Object.keys(plainObject(schema, document)?.properties ?? {}).slice(0, MAX_SHOWN_FIELDS);
  const text = [
    typeof description === 'string' ? description : '',
    `A text of type ${mediaType}${fields.length > 0 ? `, with ${fields.join(', ')}` : ''}.`,
  ];
  return { type: 'string', description: text.filter(Boolean).join(' ') };
}

function withFiles(properties: JsonObject, document: OpenapiDocument): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      if (!isFileField(field, document)) return [name, field];
      const description = document.object(field)?.description;
      const file = fileSchema(typeof description === 'string' ? description : 'A file.');
      return [name, isFile(field, document) ? file : { type: 'array', items: file }];
    }),
  );
}

function fileSchema(description: string): JsonObject {
  return {
    type: 'object',
    description,
    properties: {
      filename: { type: 'string' },
      contentType: { type: 'string', description: 'Media type, such as text/csv' },
      text: { type: 'string', description: 'The content, if it is text' },
      base64: { type: 'string', description: 'The content as base64, if it is not text' },
    },
  };
}

/** A body without fields, as many documents declare for a GET. */
function isEmptyBody({ schema, kind }: RequestBody, document: OpenapiDocument): boolean {
  if (kind === 'binary' || kind === 'text') return false;
  const object = plainObject(schema, document);
  return (
    Object.keys(document.object(schema) ?? {}).length === 0 || (isObject(object?.properties) && Object.keys(object.properties).length === 0)
  );
}
