/**
 * The operations of a document, with their references resolved.
 *
 * Source: OpenAPI 3.1.1, Paths Object, Path Item Object, Operation Object.
 */
import { isObject, type JsonObject } from '../../protocol/json-object';
import type { SkippedPart } from '../imported-action';
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
}

export interface OperationParameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required: boolean;
  description: string | undefined;
  schema: unknown;
  style: string;
  explode: boolean;
  /** Written as JSON, as `content` says. */
  isJson: boolean;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
const PLACES = ['path', 'query', 'header', 'cookie'];

export function listOperations(document: OpenapiDocument): { operations: Operation[]; skipped: SkippedPart[] } {
  const operations: Operation[] = [];
  const skipped: SkippedPart[] = [];
  const paths = isObject(document.root.paths) ? document.root.paths : {};
  for (const [path, reference] of Object.entries(paths)) {
    if (path.startsWith('x-')) continue;
    const item = document.object(reference);
    if (!item) skipped.push({ what: path, why: 'it is a reference that leads out of the document or to nothing' });
    for (const method of METHODS) {
      const operation = item?.[method];
      if (!item || !isObject(operation)) continue;
      const key = `${method.toUpperCase()} ${path}`;
      const read = readOperation(document, { key, method: method.toUpperCase(), path, item, operation });
      if (typeof read === 'string') skipped.push({ what: key, why: read });
      else operations.push(read);
    }
  }
  return { operations, skipped };
}

interface Source {
  key: string;
  method: string;
  path: string;
  item: JsonObject;
  operation: JsonObject;
}

/** A text says why it cannot be. */
function readOperation(document: OpenapiDocument, { key, method, path, item, operation }: Source): Operation | string {
  const { parameters: own, requestBody, operationId, summary, description, tags, deprecated, responses, security, servers } = operation;
  const parameters = readParameters(document, item.parameters, own, path);
  if (typeof parameters === 'string') return parameters;
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
    parameters,
    requestBody: body,
    responses: isObject(responses) ? responses : {},
    security: Array.isArray(security) ? security : undefined,
    servers: [servers, item.servers].find((list) => Array.isArray(list) && list.length > 0) as unknown[] | undefined,
  };
}

/** A text says why they cannot be. */
function readParameters(document: OpenapiDocument, shared: unknown, own: unknown, path: string): OperationParameter[] | string {
  const found = new Map<string, OperationParameter>();
  for (const reference of [shared, own].flatMap((list) => (Array.isArray(list) ? list : []))) {
    const parameter = document.object(reference);
    if (!parameter) return 'a parameter is a reference that leads out of the document or to nothing';
    const { name, in: place } = parameter;
    if (typeof name !== 'string' || name === '__proto__' || !PLACES.includes(place as string)) continue;
    found.set(`${place} ${name}`, readParameter(document, parameter, name, place as OperationParameter['in']));
  }
  // Some documents do not say all that their paths hold.
  for (const [, name = ''] of path.matchAll(/\{([^{}]+)\}/g)) {
    if (!found.has(`path ${name}`) && name !== '__proto__') found.set(`path ${name}`, readParameter(document, {}, name, 'path'));
  }
  return [...found.values()].filter(({ in: place, name }) => place !== 'path' || path.includes(`{${name}}`));
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
  return {
    name,
    in: place,
    required: place === 'path' || parameter.required === true,
    description: textOf(parameter.description),
    schema: parameter.schema ?? document.object(content?.[1])?.schema ?? { type: 'string' },
    style,
    explode,
    isJson: content !== undefined && /json/.test(content[0]),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
