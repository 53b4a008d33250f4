/**
 * Converts a Swagger 2.0 document to the same operations as OpenAPI 3. All parts that affect a request or a result are translated: parameters,
 * bodies, forms, answers, media types, servers and security. Schemas stay in place, because references point into the original document.
 *
 * Source: OpenAPI 2.0; OpenAPI 3.0.4.
 */
import { isObject, type JsonObject } from '#sdk/protocol/json-object';

export type Resolve = (value: unknown) => JsonObject | undefined;

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART_TYPE = 'multipart/form-data';

/** `collectionFormat` -> style. `multi` repeats the name; a list whose name cannot repeat is `csv`. */
const STYLES: Record<string, string> = { csv: 'form', ssv: 'spaceDelimited', tsv: 'tabDelimited', pipes: 'pipeDelimited', multi: 'form' };

/** @param swagger changed in place: its schemas get the `nullable` and `discriminator` of OpenAPI 3 */
export function fromSwagger2(swagger: JsonObject, resolve: Resolve): JsonObject {
  const { host, basePath, schemes, paths, definitions, securityDefinitions } = swagger;
  migrateSchemas(isObject(definitions) ? Object.values(definitions) : []);
  return {
    ...swagger,
    openapi: '3.0.4',
    servers: toServers(host, basePath, schemes),
    components: { securitySchemes: mapObject(securityDefinitions, (scheme) => toScheme(resolve(scheme))) },
    paths: mapObject(paths, (item) => {
      const found = resolve(item);
      return found ? toPathItem(found, swagger, resolve) : item;
    }),
  };
}

/** A document without schemes uses that of its own address, which is unknown: https is assumed. */
function toServers(host: unknown, basePath: unknown, schemes: unknown): JsonObject[] {
  const path = typeof basePath === 'string' ? basePath : '';
  if (typeof host !== 'string') return path === '' ? [] : [{ url: path }];
  const known = textsOf(schemes);
  return known.length === 0 ? [{ url: `//${host}${path}` }] : known.map((scheme) => ({ url: `${scheme}://${host}${path}` }));
}

function toScheme(scheme: JsonObject | undefined): JsonObject | undefined {
  if (scheme?.type === 'basic') return { ...scheme, type: 'http', scheme: 'basic' };
  if (scheme?.type !== 'oauth2' || scheme.flow !== 'accessCode') return scheme;
  const { authorizationUrl, tokenUrl, scopes } = scheme;
  return { ...scheme, flows: { authorizationCode: { authorizationUrl, tokenUrl, scopes } } };
}

function toPathItem(item: JsonObject, swagger: JsonObject, resolve: Resolve): JsonObject {
  const { parameters: shared, ...rest } = item;
  const operations = METHODS.filter((method) => isObject(item[method])).map((method) => {
    const operation = item[method] as JsonObject;
    return [method, toOperation(operation, shared, swagger, resolve)];
  });
  return { ...rest, ...Object.fromEntries(operations) };
}

function toOperation(operation: JsonObject, shared: unknown, swagger: JsonObject, resolve: Resolve): JsonObject {
  const { parameters: own, consumes = swagger.consumes, produces = swagger.produces, responses, ...rest } = operation;
  const found = allParameters([shared, own], resolve);
  const body = found.findLast((parameter) => parameter.in === 'body');
  const fields = found.filter((parameter) => parameter.in === 'formData');
  const requestBody = toRequestBody(body, fields, textsOf(consumes));
  return {
    ...rest,
    parameters: found.filter((parameter) => parameter.in !== 'body' && parameter.in !== 'formData').map(toParameter),
    ...(requestBody && { requestBody }),
    responses: mapObject(responses, (response) => toResponse(resolve(response), textsOf(produces))),
  };
}

/** A parameter of the operation replaces the path's with the same name and place. A reference without a target stays one. */
function allParameters(lists: readonly unknown[], resolve: Resolve): JsonObject[] {
  const found = new Map<unknown, JsonObject>();
  for (const reference of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    const parameter = resolve(reference);
    if (parameter) found.set(`${parameter.in} ${parameter.name}`, parameter);
    else found.set(reference, isObject(reference) ? reference : {});
  }
  return [...found.values()];
}

function toParameter(parameter: JsonObject): JsonObject {
  if (parameter.$ref !== undefined) return parameter;
  const { name, in: place, required, description, allowEmptyValue } = parameter;
  return { name, in: place, required, description, allowEmptyValue, schema: ownSchema(parameter), ...listStyle(parameter) };
}

/** A parameter is its own schema, except for a body. */
function ownSchema({ name: _, in: __, required: ___, collectionFormat: ____, allowEmptyValue: _____, ...parameter }: JsonObject): unknown {
  const { schema, description: _description, ...own } = parameter;
  migrateSchemas([schema, own]);
  return schema !== undefined && own.type === undefined ? schema : own;
}

function listStyle({ type, collectionFormat, in: place }: JsonObject): { style: string; explode: boolean } | undefined {
  if (type !== 'array') return undefined;
  const format = typeof collectionFormat === 'string' && Object.hasOwn(STYLES, collectionFormat) ? collectionFormat : 'csv';
  const style = STYLES[format] as string;
  const isNamed = place === 'query' || place === 'formData';
  return { style: style === 'form' && !isNamed ? 'simple' : style, explode: format === 'multi' && isNamed };
}

function toRequestBody(body: JsonObject | undefined, fields: readonly JsonObject[], consumes: readonly string[]): JsonObject | undefined {
  if (!body && fields.length === 0) return undefined;
  const types = consumes.length > 0 ? consumes : [JSON_TYPE];
  const schema = body && ownSchema(body);
  return {
    description: body?.description,
    required: [...fields, ...(body ? [body] : [])].some(({ required }) => required === true),
    content: {
      ...(body && Object.fromEntries(types.map((type) => [type, { schema }]))),
      ...(fields.length > 0 && formContent(fields, consumes)),
    },
  };
}

/** If no media type is a form, a file is sent in parts, and other fields as `key=value`. */
function formContent(fields: readonly JsonObject[], consumes: readonly string[]): JsonObject {
  const named = fields.filter(({ name }) => typeof name === 'string') as (JsonObject & { name: string })[];
  const hasFile = fields.some((field) => isBytes(field) || isBytes(field.items));
  const forms = consumes.filter((type) => /^\s*multipart\//i.test(type) || (!hasFile && /x-www-form-urlencoded/i.test(type)));
  const media = {
    schema: {
      type: 'object',
      properties: Object.fromEntries(named.map((field) => [field.name, fieldSchema(field)])),
      required: named.filter(({ required }) => required === true).map(({ name }) => name),
    },
    encoding: Object.fromEntries(named.filter(isTextList).map((field) => [field.name, listStyle(field)])),
  };
  const types = forms.length > 0 ? forms : [hasFile ? MULTIPART_TYPE : FORM_TYPE];
  return Object.fromEntries(types.map((type) => [type, media]));
}

/** Some documents declare a file as in OpenAPI 3. */
function isBytes(schema: unknown): boolean {
  return isObject(schema) && (schema.type === 'file' || schema.format === 'binary');
}

/** A list of files has a part for each. */
function isTextList({ type, items }: JsonObject): boolean {
  return type === 'array' && !isBytes(items);
}

function fieldSchema(field: JsonObject): unknown {
  const schema = ownSchema(field);
  return field.description === undefined || !isObject(schema) ? schema : { ...schema, description: field.description };
}

/** The answers of an operation have the types that it `produces`. */
function toResponse(response: JsonObject | undefined, produces: readonly string[]): JsonObject {
  const { schema } = response ?? {};
  migrateSchemas([schema]);
  const isJson = isObject(schema) && schema.type !== 'file';
  const types = produces.length === 0 && isJson ? [JSON_TYPE] : produces;
  return { ...response, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

/** Changes the schemas and nested schemas, once each. */
function migrateSchemas(schemas: readonly unknown[], seen = new WeakSet<JsonObject>()): void {
  for (const schema of schemas) {
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    if (schema['x-nullable'] === true) schema.nullable = true;
    if (typeof schema.discriminator === 'string') schema.discriminator = { propertyName: schema.discriminator };
    const { properties, items, additionalProperties, allOf } = schema;
    migrateSchemas([...(isObject(properties) ? Object.values(properties) : []), items, additionalProperties, allOf].flat(), seen);
  }
}

function mapObject(object: unknown, map: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(isObject(object) ? object : {}).map(([key, value]) => [key, map(value)]));
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string' && item.trim() !== '') : [];
}
