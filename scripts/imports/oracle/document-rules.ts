/**
 * The rules of a document about its requests, read from the document alone: no code of the importer takes part, so that both cannot be wrong in the
 * same way.
 *
 * Source: OpenAPI 2.0, OpenAPI 3.0.4, OpenAPI 3.1.1.
 */
import { isObject, type JsonObject } from '../../../src/protocol/json-object.ts';

/** How a list or an object is written as text. */
export interface Writing {
  /** `json`: the whole value is JSON. */
  style: 'simple' | 'label' | 'matrix' | 'form' | 'deepObject' | 'json';
  explode: boolean;
  /** The text that separates the values of a list in one text. */
  separator: string;
}

export interface ParameterRule {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required: boolean;
  schema: unknown;
  writing: Writing;
}

export interface MediaRule {
  schema: unknown;
  /** Field of a form -> how it is written. */
  fields: ReadonlyMap<string, { writing?: Writing; contentType?: string }>;
}

export interface BodyRule {
  required: boolean;
  /** Media type in lower case, without its parameters -> its rule. */
  media: ReadonlyMap<string, MediaRule>;
}

export interface OperationRule {
  /** Such as `GET /pets/{id}`. */
  key: string;
  method: string;
  path: string;
  parameters: readonly ParameterRule[];
  body: BodyRule | undefined;
  security: readonly JsonObject[];
  /** Paths of servers of its own. */
  basePaths: readonly string[];
}

/** Where a credential is in a request. */
export interface SchemeRule {
  in: 'header' | 'query' | 'cookie';
  name: string;
  /** The value for a secret. */
  value: (secret: string) => string;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'query'];
const SEPARATORS: Record<string, string> = { csv: ',', ssv: ' ', tsv: '\t', pipes: '|', spaceDelimited: ' ', pipeDelimited: '|' };
/** OpenAPI 3 says of the first three: "the parameter definition SHALL be ignored". The last two come from the call, not from a payload. */
const IGNORED_HEADERS = new Set(['accept', 'content-type', 'authorization', 'idempotency-key', 'x-idempotency-key']);
const MAX_HOPS = 20;

export class DocumentRules {
  readonly #document: JsonObject;
  readonly #isSwagger: boolean;

  constructor(document: JsonObject) {
    this.#document = document;
    this.#isSwagger = document.swagger !== undefined;
  }

  operations(): OperationRule[] {
    const paths = Object.entries(isObject(this.#document.paths) ? this.#document.paths : {});
    return paths.flatMap(([path, reference]) => {
      const item = this.object(reference);
      if (!item || path.startsWith('x-')) return [];
      return METHODS.flatMap((method) => (isObject(item[method]) ? [this.#operation(method, path, item, item[method])] : []));
    });
  }

  /** Schemes for which one secret is enough. */
  schemes(): Map<string, SchemeRule> {
    const { securityDefinitions, components } = this.#document;
    const schemes = this.#isSwagger ? securityDefinitions : this.object(components)?.securitySchemes;
    const rules = Object.entries(isObject(schemes) ? schemes : {}).flatMap(([name, scheme]) => {
      const rule = schemeRule(this.object(scheme) ?? {});
      return rule ? [[name, rule] as const] : [];
    });
    return new Map(rules);
  }

  /** The value itself, or that of its reference within the document. */
  object(value: unknown): JsonObject | undefined {
    let found = value;
    for (let hops = 0; isObject(found) && typeof found.$ref === 'string' && hops < MAX_HOPS; hops++) found = this.#at(found.$ref);
    return isObject(found) ? found : undefined;
  }

  #at(pointer: string): unknown {
    if (!pointer.startsWith('#')) return undefined;
    const steps = pointer.split('/').slice(1);
    return steps.reduce<unknown>((value, step) => {
      const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
      return typeof value === 'object' && value !== null ? (value as JsonObject)[name] : undefined;
    }, this.#document);
  }

  #operation(method: string, path: string, item: JsonObject, operation: JsonObject): OperationRule {
    const found = new Map<string, JsonObject>();
    for (const reference of [item.parameters, operation.parameters].flatMap((list) => (Array.isArray(list) ? list : []))) {
      const parameter = this.object(reference);
      if (parameter) found.set(`${parameter.in} ${parameter.name}`, parameter);
    }
    const parameters = [...found.values()];
    for (const [, name = ''] of path.matchAll(/\{([^{}]+)\}/g)) {
      if (!found.has(`path ${name}`)) parameters.push({ name, in: 'path', type: 'string', schema: { type: 'string' } });
    }
    const servers = [operation.servers, item.servers].find((list) => Array.isArray(list) && list.length > 0);
    return {
      key: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      parameters: parameters.flatMap((parameter) => this.#parameter(parameter, path) ?? []),
      body: this.#isSwagger ? this.#swaggerBody(operation, parameters) : this.#body(operation.requestBody),
      security: [operation.security ?? this.#document.security].flat().filter(isObject),
      basePaths: (Array.isArray(servers) ? servers : []).flatMap((server) => serverPath(server)),
    };
  }

  #parameter(parameter: JsonObject, path: string): ParameterRule | undefined {
    const { name, in: place, required } = parameter;
    if (typeof name !== 'string' || !['path', 'query', 'header', 'cookie'].includes(String(place))) return undefined;
    if (place === 'header' && IGNORED_HEADERS.has(name.toLowerCase())) return undefined;
    if (place === 'path' && !path.includes(`{${name}}`)) return undefined;
    const content = isObject(parameter.content) ? Object.values(parameter.content)[0] : undefined;
    return {
      name,
      in: place as ParameterRule['in'],
      required: place === 'path' || required === true,
      schema: this.#isSwagger ? parameter : (parameter.schema ?? this.object(content)?.schema ?? {}),
      writing: this.#isSwagger ? listWriting(parameter) : parameterWriting(parameter, String(place)),
    };
  }

  #body(reference: unknown): BodyRule | undefined {
    const body = this.object(reference);
    const content = Object.entries(isObject(body?.content) ? body.content : {});
    if (!body || content.length === 0) return undefined;
    const media = content.map(([type, each]) => {
      const { schema = {}, encoding } = this.object(each) ?? {};
      const fields = Object.entries(isObject(encoding) ? encoding : {}).map(([name, said]) => [name, fieldRule(said)] as const);
      return [bareType(type), { schema, fields: new Map(fields) }] as const;
    });
    // The first of two types counts that differ only in their parameters, such as a version.
    return { required: body.required === true, media: new Map(media.reverse()) };
  }

  #swaggerBody(operation: JsonObject, parameters: readonly JsonObject[]): BodyRule | undefined {
    const body = parameters.findLast((parameter) => parameter.in === 'body');
    const fields = parameters.filter((parameter) => parameter.in === 'formData');
    const consumes = [operation.consumes ?? this.#document.consumes ?? []].flat().map((type) => bareType(String(type)));
    if (body) {
      const types = consumes.length > 0 ? consumes : ['application/json'];
      const media = { schema: body.schema ?? {}, fields: new Map() };
      return { required: body.required === true, media: new Map(types.map((type) => [type, media])) };
    }
    if (fields.length === 0) return undefined;
    const hasFile = fields.some(({ type }) => type === 'file');
    const forms = consumes.filter((type) => type === 'multipart/form-data' || (type === 'application/x-www-form-urlencoded' && !hasFile));
    const types = forms.length > 0 ? forms : [hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'];
    const media: MediaRule = {
      schema: {
        type: 'object',
        required: fields.filter(({ required }) => required === true).map(({ name }) => name),
        properties: Object.fromEntries(fields.map((field) => [String(field.name), { ...field, required: undefined }])),
      },
      fields: new Map(fields.map((field) => [String(field.name), { writing: listWriting(field) }])),
    };
    return { required: fields.some(({ required }) => required === true), media: new Map(types.map((type) => [type, media])) };
  }
}

/** Media type in lower case, without parameters. */
export function bareType(type: string): string {
  return type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** `collectionFormat` of 2.0, whose default is `csv`. */
function listWriting({ in: place, collectionFormat = 'csv' }: JsonObject): Writing {
  const isNamed = place === 'query' || place === 'formData';
  const explode = collectionFormat === 'multi' && isNamed;
  return { style: isNamed ? 'form' : 'simple', explode, separator: SEPARATORS[String(collectionFormat)] ?? ',' };
}

function parameterWriting({ content, style, explode }: JsonObject, place: string): Writing {
  if (isObject(content)) {
    const isJson = /json/.test(Object.keys(content)[0] ?? '');
    return { style: isJson ? 'json' : 'simple', explode: false, separator: ',' };
  }
  const isNamed = place === 'query' || place === 'cookie';
  return styleWriting(typeof style === 'string' ? style : isNamed ? 'form' : 'simple', explode);
}

function styleWriting(style: string, explode: unknown): Writing {
  const isForm = style === 'form' || style === 'deepObject';
  const named = SEPARATORS[style] === undefined ? style : 'form';
  return {
    style: named as Writing['style'],
    explode: typeof explode === 'boolean' ? explode : isForm,
    separator: SEPARATORS[style] ?? ',',
  };
}

function fieldRule(said: unknown): { writing?: Writing; contentType?: string } {
  const { style, explode, contentType } = isObject(said) ? said : {};
  return {
    ...(typeof style === 'string' && { writing: styleWriting(style, explode) }),
    ...(typeof style !== 'string' && typeof explode === 'boolean' && { writing: styleWriting('form', explode) }),
    ...(typeof contentType === 'string' && { contentType }),
  };
}

function schemeRule({ type, scheme, in: place, name }: JsonObject): SchemeRule | undefined {
  const kind = typeof scheme === 'string' ? scheme.toLowerCase() : '';
  if (type === 'apiKey' && typeof name === 'string')
    return { in: place === 'query' || place === 'cookie' ? place : 'header', name, value: (secret) => secret };
  if (type === 'basic' || (type === 'http' && kind === 'basic'))
    return { in: 'header', name: 'authorization', value: (secret) => `Basic ${btoa(secret)}` };
  const isBearer = type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && kind === 'bearer');
  return isBearer ? { in: 'header', name: 'authorization', value: (secret) => `Bearer ${secret}` } : undefined;
}

function serverPath(server: unknown): string[] {
  const url = isObject(server) ? String(server.url) : '';
  const text = url.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const variables = isObject(server) && isObject(server.variables) ? server.variables[name] : undefined;
    return isObject(variables) ? String(variables.default) : '';
  });
  return URL.canParse(text, 'https://x.example') ? [new URL(text, 'https://x.example').pathname.replace(/\/$/, '')] : [];
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
