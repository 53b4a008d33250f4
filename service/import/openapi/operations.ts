/**
 * The operations of a document, with their references resolved.
 *
 * Source: OpenAPI 3.2.0, Paths Object, Path Item Object, Operation Object.
 */
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import type { LeftOutPart, SkippedPart } from '../imported-action';
import type { OpenapiDocument } from './document';

export interface Operation {
  /** Such as `GET /pets/{id}`, unique within the document. */
  key: string;
  /** Such as `GET`. */
  method: string;
  path: string;
  id: string | undefined;
  summary: string | undefined;
  description: string | undefined;
  tags: readonly string[];
  isDeprecated: boolean;
  parameters: readonly OperationParameter[];
  requestBody: JsonObject | undefined;
  /** Status, or `default`, -> response. */
  responses: JsonObject;
  /** Undefined: the document's requirements apply. */
  security: readonly unknown[] | undefined;
  /** The servers of the operation or its path; undefined: the document's servers. */
  servers: readonly unknown[] | undefined;
  /** Parts that are missing in its action. */
  leftOut: readonly LeftOutPart[];
}

export interface OperationParameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required: boolean;
  description: string | undefined;
  schema: unknown;
  style: string;
  explode: boolean;
  /** Written as JSON because of `content`. */
  isJson: boolean;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
/** Methods that `fetch` refuses. */
const NEVER_SENT = new Set(['TRACE', 'TRACK', 'CONNECT']);
const METHOD_TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const PLACES = ['path', 'query', 'header', 'cookie'];
const MAX_NAME_CHARS = 100;
const CALLS_FROM_API = 'calls from the API are not received';
const WITH_QUERIES = 'paths that differ only in their query are not read';
const LEADS_OUT = 'it is a reference that leads out of the document or to nothing';

export function listOperations(document: OpenapiDocument): { operations: Operation[]; skipped: SkippedPart[] } {
  const operations: Operation[] = [];
  const skipped: SkippedPart[] = [];
  const { paths, webhooks, 'x-ms-paths': pathsWithQueries } = document.root;
  for (const [path, reference] of Object.entries(isObject(paths) ? paths : {})) {
    if (path.startsWith('x-')) continue;
    const item = document.object(reference);
    if (!item) skipped.push({ what: path, why: LEADS_OUT });
    for (const [method, operation] of item ? operationsOf(item) : []) {
      const key = `${method} ${path}`;
      const read = readOperation(document, { key, method, path, item: item as JsonObject, operation });
      if (typeof read === 'string') skipped.push({ what: key, why: read });
      else operations.push(read);
    }
  }
  return {
    operations,
    skipped: [
      ...skipped,
      ...leftOutWhole('webhooks', webhooks, CALLS_FROM_API),
      ...leftOutWhole('x-ms-paths', pathsWithQueries, WITH_QUERIES),
    ],
  };
}

/** One skipped part for the whole content of a member. */
function leftOutWhole(name: string, member: unknown, why: string): SkippedPart[] {
  const count = isObject(member) ? Object.keys(member).length : 0;
  return count === 0 ? [] : [{ what: `${name} (${count})`, why }];
}

/** Method in upper case -> operation. OpenAPI 3.2 allows further methods. */
function operationsOf(item: JsonObject): [method: string, operation: unknown][] {
  const known = METHODS.filter((method) => item[method] !== undefined).map((method) => [method.toUpperCase(), item[method]] as const);
  const more = isObject(item.additionalOperations) ? Object.entries(item.additionalOperations) : [];
  return [...new Map([...more, ...known])];
}

interface Source {
  key: string;
  method: string;
  path: string;
  item: JsonObject;
  operation: unknown;
}

/** A text is the reason why the operation is left out. */
function readOperation(document: OpenapiDocument, { key, method, path, item, operation }: Source): Operation | string {
  if (!isObject(operation)) return 'it is not an object';
  if (NEVER_SENT.has(method) || !METHOD_TOKEN.test(method)) return `a request of method ${JSON.stringify(method.slice(0, 20))} is not sent`;
  const { parameters: own, requestBody, operationId, summary, description, tags, deprecated, responses, security, servers } = operation;
  const { callbacks } = operation;
  const read = readParameters(document, [item.parameters, own], path);
  if (typeof read === 'string') return read;
  const body = requestBody === undefined ? undefined : document.object(requestBody);
  if (requestBody !== undefined && !body) return 'its body is a reference that leads out of the document or to nothing';
  return {
    key,
    method,
    path,
    id: textOf(operationId),
    summary: textOf(summary) ?? textOf(item.summary),
    description: textOf(description) ?? textOf(item.description),
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
    isDeprecated: deprecated === true,
    parameters: read.parameters,
    requestBody: body,
    responses: isObject(responses) ? responses : {},
    security: Array.isArray(security) ? security : undefined,
    servers: [servers, item.servers].find((list) => Array.isArray(list) && list.length > 0) as unknown[] | undefined,
    leftOut: [
      ...read.leftOut,
      ...(isObject(callbacks) && Object.keys(callbacks).length > 0 ? [{ part: 'callbacks', why: CALLS_FROM_API }] : []),
    ],
  };
}

/** A text is the reason why they cannot be used. */
function readParameters(
  document: OpenapiDocument,
  lists: readonly unknown[],
  path: string,
): { parameters: OperationParameter[]; leftOut: LeftOutPart[] } | string {
  const found = new Map<string, OperationParameter>();
  const leftOut = new Map<string, LeftOutPart>();
  for (const reference of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    const parameter = document.object(reference);
    if (!parameter) return 'a parameter is a reference that leads out of the document or to nothing';
    const { name, in: place } = parameter;
    const why = parameterProblem(name, place, path);
    const part = `parameter ${String(name).slice(0, MAX_NAME_CHARS)}`;
    if (why !== undefined) leftOut.set(part, { part, why });
    else found.set(`${place} ${name}`, readParameter(document, parameter, name as string, place as OperationParameter['in']));
  }
  // Some documents do not declare all parameters of their paths.
  for (const [, name = ''] of path.matchAll(/\{([^{}]+)\}/g)) {
    if (!found.has(`path ${name}`) && name !== '__proto__') found.set(`path ${name}`, readParameter(document, {}, name, 'path'));
  }
  return { parameters: [...found.values()], leftOut: [...leftOut.values()] };
}

/** Undefined for a parameter that can be sent. */
function parameterProblem(name: unknown, place: unknown, path: string): string | undefined {
  if (typeof name !== 'string' || name === '__proto__') return 'its name cannot be a field of a payload';
  if (!PLACES.includes(place as string)) return `its place ${JSON.stringify(place)?.slice(0, MAX_NAME_CHARS) ?? ''} is not supported`;
  if (place === 'query' && new URLSearchParams(path.split('?', 2)[1]).has(name)) return 'the path itself has its value';
  return place === 'path' && !path.includes(`{${name}}`) ? 'the path has no place for it' : undefined;
}

function readParameter(
  document: OpenapiDocument,
  parameter: JsonObject,
  name: string,
  place: OperationParameter['in'],
): OperationParameter {
  const [content] = isObject(parameter.content) ? Object.entries(parameter.content) : [];
  const style = textOf(parameter.style) ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  const explode = typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form' || style === 'deepObject';
  const schema = parameter.schema ?? document.object(content?.[1])?.schema ?? { type: 'string' };
  return {
    name,
    in: place,
    required: place === 'path' || parameter.required === true,
    description: textOf(parameter.description),
    schema: parameter.allowEmptyValue === true ? orEmpty(schema, document) : schema,
    style,
    explode,
    isJson: content !== undefined && /json/.test(content[0]),
  };
}

/** `allowEmptyValue`: an empty text is sent as `?flag=`, whatever the type of the flag. */
function orEmpty(schema: unknown, document: OpenapiDocument): unknown {
  const { type, enum: values, minLength, pattern, format } = document.object(schema) ?? {};
  const isAnyText = type === 'string' && [values, minLength, pattern, format].every((keyword) => keyword === undefined);
  return isAnyText ? schema : { anyOf: [schema, { type: 'string', maxLength: 0 }] };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
