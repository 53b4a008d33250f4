/**
 * Calls imported actions with values of the document's own schemas, and reads each request that leaves by the document's rules.
 *
 * Source of the names in a payload: docs/imports/openapi.md, "What becomes what".
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ActionContext } from 'svc-sdk';
import { type ImportedAction, importOpenapi, type OpenapiImport } from 'svc-service/import';
import { isObject, type JsonObject } from '../../../src/protocol/json-object.ts';
import { ActionError } from '../../../src/toolkit/action-error.ts';
import {
  type BodyRule,
  bareType,
  DocumentRules,
  type MediaRule,
  type OperationRule,
  type ParameterRule,
  type Writing,
} from './document-rules.ts';
import { bodyProblems, cookieProblem, headerProblem, pathProblems, queryProblems, type RawPair, rawPairs } from './read-request.ts';
import { isFile, isSampleFile, SampleValues, sampleFile } from './sample-values.ts';

const CALL_MS = 10_000;
const BASE_PATH = '/base/v1';
/** It has a colon, as `user:password` needs. */
const SECRET = 'secret:1';

export interface Verdict {
  operations: number;
  requests: number;
  exact: number;
  /** Operations with a body, and actions that sent one. */
  bodies: number;
  sentBodies: number;
  /** One for each request that is not exact, and each operation that is missing without a reason. */
  problems: { what: string; problem: string }[];
}

interface Sent {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

type Given = readonly [ParameterRule, unknown][];

/** An API on loopback that keeps the requests. */
export class Oracle {
  readonly #server: Server;
  #sent: Sent[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Oracle> {
    const server = createServer();
    const oracle = new Oracle(server);
    server.on('request', async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const { method = '', url = '', headers } = request;
      oracle.#sent.push({ method, url, headers, body: Buffer.concat(parts) });
      response.setHeader('content-type', 'application/json').end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return oracle;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** The document as a toolkit whose API is this one, with a secret for each scheme. */
  import(document: unknown, toolkitId: string): OpenapiImport {
    const { port } = this.#server.address() as AddressInfo;
    const schemes = isObject(document) ? secretsOf(new DocumentRules(document)) : {};
    const baseUrl = `http://127.0.0.1:${port}${BASE_PATH}`;
    return importOpenapi(document, { toolkitId, auth: { schemes }, deprecated: true, baseUrl });
  }

  /** @param each of how many actions one is called */
  async judge(document: JsonObject, imported: OpenapiImport, each = 1): Promise<Verdict> {
    const rules = new DocumentRules(document);
    const byKey = new Map(imported.actions.map((action) => [action.original, action]));
    const verdict: Verdict = { operations: 0, requests: 0, exact: 0, bodies: 0, sentBodies: 0, problems: [] };
    for (const rule of rules.operations()) {
      const action = byKey.get(rule.key);
      const isSaid = imported.skipped.some(({ what }) => what === rule.key || what === rule.path);
      if (!action && !isSaid) verdict.problems.push({ what: rule.key, problem: 'no action, and no reason' });
      if (action && verdict.operations % each === 0) await this.#judgeAction(action, rule, rules, imported, verdict);
      verdict.operations++;
    }
    return verdict;
  }

  async #judgeAction(
    action: ImportedAction,
    rule: OperationRule,
    rules: DocumentRules,
    { skipped }: OpenapiImport,
    verdict: Verdict,
  ): Promise<void> {
    const leftOut = new Set(skipped.flatMap(({ what, part }) => (what === rule.key && part !== undefined ? [part] : [])));
    const body = leftOut.has('body') ? undefined : rule.body;
    if (rule.body) verdict.bodies++;
    let hasSentBody = false;
    for (const all of [false, true]) {
      const call = callOf(action, { ...rule, body }, rules, leftOut, all);
      this.#sent = [];
      const failure = await Promise.resolve(action.handler(context(), call.payload)).then(
        () => undefined,
        (error: Error) => error.message,
      );
      const sent = this.#sent.length === 1 ? await problemsOf(this.#sent[0] as Sent, rule, rules, call) : [`no request: ${failure}`];
      const problems = [...sent, ...(leftOut.has('schema') ? [] : hiddenFields(action, call.payload))];
      hasSentBody ||= (this.#sent[0]?.body.length ?? 0) > 0;
      verdict.requests++;
      if (problems.length === 0) verdict.exact++;
      else verdict.problems.push({ what: rule.key, problem: problems.join('; ') });
    }
    if (hasSentBody) verdict.sentBodies++;
  }
}

/** A field that the schema does not show is one that no model gives. */
function hiddenFields({ payloadDescription: { properties } }: ImportedAction, payload: JsonObject): string[] {
  const hidden = Object.keys(payload).filter((name) => !isObject(properties) || !Object.hasOwn(properties, name));
  return hidden.map((name) => `the payload shows no field ${name}`);
}

interface Call {
  payload: JsonObject;
  given: Given;
  body: { type: string; rule: MediaRule; value: unknown; allowed: readonly string[] } | undefined;
}

/** Values for the parameters and the body, and the payload that has them. */
function callOf(action: ImportedAction, rule: OperationRule, rules: DocumentRules, leftOut: ReadonlySet<string>, all: boolean): Call {
  const values = new SampleValues(rules, all);
  const secrets = new Set([...rules.schemes().values()].map((scheme) => `${scheme.in} ${scheme.name.toLowerCase()}`));
  const given = rule.parameters
    .filter((parameter) => {
      const isLeftOut = leftOut.has(`parameter ${parameter.name}`) || leftOut.has(`header ${parameter.name}`);
      return (parameter.required || all) && !isLeftOut && !secrets.has(`${parameter.in} ${parameter.name.toLowerCase()}`);
    })
    .map((parameter) => {
      const separator = hiddenSeparator(parameter.writing, parameter.in !== 'header');
      const value = values.value(parameter.schema, parameter.in, { separator });
      // An empty object cannot be seen in a query.
      const isEmpty = isObject(value) && Object.keys(value).length === 0;
      return [parameter, isEmpty ? new SampleValues(rules, true).value(parameter.schema, parameter.in, { separator }) : value] as const;
    }) as unknown as Given;
  const body = rule.body && (rule.body.required || all) ? sampleBody(rule.body, values, rules) : undefined;
  return { payload: payloadOf(action, given, rule.parameters, body?.value), given, body };
}

/** Parameters and the fields of an object body side by side; another body is `body`. Of two equal names the second has its place at the end. */
function payloadOf({ payloadDescription }: ImportedAction, given: Given, parameters: readonly ParameterRule[], body: unknown): JsonObject {
  const properties = isObject(payloadDescription.properties) ? payloadDescription.properties : {};
  const names = new Set(parameters.map(({ name }) => name));
  const keys = isObject(body) ? Object.keys(body) : [];
  const isSpread = keys.every((key) => Object.hasOwn(properties, key)) && keys.some((key) => !names.has(key));
  const isEmpty = isObject(body) && keys.length === 0;
  const hasField =
    Object.hasOwn(properties, 'body') && (!names.has('body') || Object.keys(properties).some((name) => name.startsWith('body_')));
  const isNeeded = !isEmpty || (Array.isArray(payloadDescription.required) && payloadDescription.required.includes('body'));
  const inBody = body !== undefined && hasField && !isSpread && isNeeded;
  const taken = new Set(inBody ? ['body'] : []);
  const fields = new Map<ParameterRule, string>();
  for (const parameter of parameters) {
    let field = parameter.name;
    while (taken.has(field)) field += `_${parameter.in}`;
    taken.add(field);
    fields.set(parameter, field);
  }
  return {
    ...Object.fromEntries(given.map(([parameter, value]) => [fields.get(parameter), value])),
    ...(inBody ? { body } : isObject(body) ? body : {}),
  };
}

function sampleBody(body: BodyRule, values: SampleValues, rules: DocumentRules): Call['body'] {
  const offers = [...body.media].map(([type, rule]) => ({ type, rule, kind: kindOf(type, rule.schema, rules) }));
  const multipart = offers.find(({ kind }) => kind === 'multipart');
  const hasFile = multipart && JSON.stringify(values.value(multipart.rule.schema, 'file')).includes(sampleFile().base64);
  const order = [...(hasFile ? ['multipart'] : []), 'json', 'form', 'multipart', 'text', 'binary'];
  const [best] = order.flatMap((kind) => offers.find((offer) => offer.kind === kind) ?? []);
  if (!best) return undefined;
  const { type, rule, kind } = best;
  const place = kind === 'multipart' ? 'file' : 'body';
  const value = kind === 'binary' ? sampleFile() : kind === 'text' ? '<ä b="1">\n</ä>' : values.value(rule.schema, place);
  if (kind === 'form' || kind === 'multipart') withListFields(value, rule, kind, values);
  return { type, rule, value, allowed: [...body.media.keys()] };
}

/** Lists that are one text get values that can be told apart. */
function withListFields(value: unknown, { schema, fields }: MediaRule, kind: string, values: SampleValues): void {
  for (const [name, { writing }] of fields) {
    if (!isObject(value) || !Array.isArray(value[name]) || !writing || writing.explode) continue;
    const field = isObject(schema) && isObject(schema.properties) ? schema.properties[name] : undefined;
    const separator = hiddenSeparator(writing, kind === 'form');
    if (!value[name].some(isSampleFile)) value[name] = values.value(field, kind === 'form' ? 'body' : 'file', { separator });
  }
}

/** The separator that no value can have. A comma can be told apart where values are encoded: the separator is not, and the value's comma is. */
function hiddenSeparator({ separator, explode }: Writing, isEncoded: boolean): string {
  return explode || (separator === ',' && isEncoded) ? '' : separator;
}

function kindOf(type: string, schema: unknown, rules: DocumentRules): string {
  const found = rules.object(schema) ?? {};
  const isStructured =
    ['type', 'properties', 'items', 'allOf', 'anyOf', 'oneOf'].some((keyword) => found[keyword] !== undefined) &&
    !isFile(found) &&
    found.type !== 'string';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  if (/^(?:application|text)\/(?:[\w.+-]+\+)?json$/.test(type)) return 'json';
  if (type.endsWith('xml') || /(?:ndjson|jsonl|jsonlines|json-seq)$/.test(type)) return 'text';
  if (isFile(found)) return 'binary';
  if (/\bjson\b/.test(type) || (isStructured && !type.startsWith('text/'))) return 'json';
  return /^text\/|yaml|ndjson|jsonl|graphql|javascript|sql|jwt/.test(type) ? 'text' : 'binary';
}

async function problemsOf({ method, url, headers, body }: Sent, rule: OperationRule, rules: DocumentRules, call: Call): Promise<string[]> {
  const [path = '', query = ''] = url.split('?', 2);
  const of = (place: ParameterRule['in']) => call.given.filter(([parameter]) => parameter.in === place);
  const base = [BASE_PATH, ...rule.basePaths].find((each) => path.startsWith(`${each}/`)) ?? BASE_PATH;
  const [template = '', ownQuery = ''] = rule.path.split('#', 1)[0]?.split('?', 2) ?? [];
  // Some paths have their values in a query: `/history?from={from}`.
  const inQuery = rawPairs(ownQuery).flatMap(([name, text]) =>
    of('path').flatMap(([rule, value]) => (text === `{${rule.name}}` ? [[{ ...rule, name }, value] as const] : [])),
  );
  const cookies = rawCookies(headers.cookie);
  const schemes = rules.schemes();
  return [
    ...(method === rule.method ? [] : [`method ${method}`]),
    ...pathProblems(
      template,
      path.slice(base.length),
      of('path').filter(([{ name }]) => template.includes(`{${name}}`)),
    ),
    ...queryProblems(withoutOwn(rawPairs(query), [...rawPairs(ownQuery), ...secretPairs(schemes)]), [...of('query'), ...inQuery]),
    ...of('header').flatMap(([parameter, value]) =>
      headerProblem(parameter, value, headers[parameter.name.toLowerCase()] as string | undefined),
    ),
    ...of('cookie').flatMap(([parameter, value]) => cookieProblem(parameter, value, cookies)),
    ...credentialProblems(rule.security, schemes, rawPairs(query), headers, cookies),
    ...(await sentBodyProblems(call.body, body, String(headers['content-type'] ?? ''))),
  ];
}

async function sentBodyProblems(expected: Call['body'], body: Buffer, contentType: string): Promise<string[]> {
  if (!expected) return body.length === 0 || body.toString() === '{}' ? [] : [`unexpected body: ${body.toString().slice(0, 100)}`];
  const isEmpty = isObject(expected.value) && Object.keys(expected.value).length === 0;
  if (body.length === 0 && isEmpty) return [];
  if (body.length === 0) return ['no body'];
  const type = bareType(contentType);
  const fits = expected.allowed.some(
    (each) => each === type || (each.includes('*') && (each.startsWith('*') || type.startsWith(each.split('*', 1)[0] ?? ''))),
  );
  if (!fits) return [`body of type ${type}, for ${expected.allowed.join(', ')}`];
  return bodyProblems(type, expected.rule, body, contentType, expected.value);
}

/** The schemes of one requirement are all there, if the operation has any. */
function credentialProblems(
  security: readonly JsonObject[],
  schemes: ReturnType<DocumentRules['schemes']>,
  query: readonly RawPair[],
  headers: IncomingHttpHeaders,
  cookies: readonly RawPair[],
): string[] {
  const isThere = (name: string) => {
    const scheme = schemes.get(name);
    if (!scheme) return false;
    const value = scheme.value(SECRET);
    if (scheme.in === 'header') return headers[scheme.name.toLowerCase()] === value;
    return (scheme.in === 'query' ? query : cookies).some(
      ([each, text]) => decodeURIComponent(each) === scheme.name && decodeURIComponent(text) === value,
    );
  };
  const possible = security
    .map((requirement) => Object.keys(requirement))
    .filter((names) => names.length > 0 && names.every((name) => schemes.has(name)));
  return possible.length === 0 || possible.some((names) => names.every(isThere)) ? [] : ['no credential'];
}

function secretPairs(schemes: ReturnType<DocumentRules['schemes']>): RawPair[] {
  const queries = [...schemes.values()].filter((scheme) => scheme.in === 'query');
  return queries.map(({ name, value }) => [name, encodeURIComponent(value(SECRET))]);
}

function withoutOwn(pairs: readonly RawPair[], own: readonly RawPair[]): RawPair[] {
  return pairs.filter(
    ([name, value]) => !own.some(([ownName, ownValue]) => decodeURIComponent(ownName) === decodeURIComponent(name) && ownValue === value),
  );
}

function rawCookies(header: string | undefined): RawPair[] {
  return (header ?? '').split('; ').flatMap((cookie) => rawPairs(cookie));
}

function secretsOf(rules: DocumentRules): Record<string, string> {
  return Object.fromEntries([...rules.schemes().keys()].map((name) => [name, SECRET]));
}

function context(): ActionContext {
  const error: ActionContext['error'] = (code, message, options) => new ActionError(code, message, options);
  return {
    signal: AbortSignal.timeout(CALL_MS),
    error,
    agentId: 'agent_1',
    idempotencyKey: 'key-1',
  } as Partial<ActionContext> as ActionContext;
}
