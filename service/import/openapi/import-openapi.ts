/**
 * Converts an OpenAPI document to the actions of a toolkit, one for each operation.
 *
 * Errors: INVALID_REQUEST, whose message names the option to set. An operation that cannot become an action is in `skipped`.
 */
import { type ActionAnnotations, type ActionContext, SvcError } from 'svc-sdk';
import type { ToolkitAuth } from '#sdk/protocol/connections';
import { toToolkitId } from '#sdk/protocol/ids';
import { isObject } from '#sdk/protocol/json-object';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { countTags, type FilterOptions, filterActions, type TagCount, tagCounts } from '../action-filters';
import { actionNames, nameOfPath } from '../action-names';
import { type ConnectionChoice, checkHeaders, connectionSettings } from '../connection-settings';
import type { FixedCredential } from '../credential';
import type { ImportedAction, SkippedPart } from '../imported-action';
import type { NamedAction } from '../pins';
import type { Redactor } from '../redactor';
import { documentProfile, type SourceProfile } from '../source-profile';
import { sourceRedactor } from '../source-redactor';
import { connectionSecrets, credentialOf, RefusedConnection, withConnection } from '../with-connection';
import { addressText, findBaseUrl, operationBaseUrl } from './base-url';
import { buildRequest, type RequestPlan } from './build-request';
import { ConnectionPlan } from './connection-plan';
import { Credentials, type OpenapiAuth } from './credentials';
import { OpenapiDocument } from './document';
import { tagDescriptions } from './operation-sentence';
import { operationText, toolkitDetails } from './operation-text';
import { listOperations, type Operation } from './operations';
import { planPayload } from './payload-plan';
import { publicFetch } from './public-fetch';
import { requestLines } from './request-lines';
import { type RequestTarget, requestTargets } from './request-targets';
import { resultOfResponse } from './response-result';
import { ResultShapes } from './result-shapes';
import { type MissingCredential, Security } from './security';
import { type SendFunction, sendRequest } from './send-request';
import { slimSchema } from './slim-schema';
import { acceptOf, successAnswers } from './success-answers';

/** The code of an error for an answer with that status. */
const UNAUTHORIZED = 'HTTP_401';

export interface ImportOpenapiOptions extends FilterOptions {
  /** The toolkit id of the key: an action id has at most 64 characters, so names leave space for it. Default: made from the document's title. */
  toolkitId?: string | undefined;
  /** Address of the API. Default: the first https server of the document. */
  baseUrl?: string | undefined;
  /** The operator's credentials, or whose connection each call has. */
  auth?: OpenapiAuth | ConnectionChoice | undefined;
  /** Sent with every request. Payloads have no parameters of these names. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Name of an action -> its description; replaces the document's. */
  describe?: Readonly<Record<string, string>> | undefined;
  /** Name -> a secret value, which `${name}` replaces in all texts of the API. Default: only the credentials among these options. */
  secrets?: Readonly<Record<string, string>> | undefined;
  /** Includes deprecated operations. Default: false. */
  deprecated?: boolean | undefined;
  /** An operation, such as `GET /pets`, -> the fixed name of its action. `pinnedNames` makes the map from pins. */
  names?: ReadonlyMap<string, string> | undefined;
}

export interface OpenapiImport {
  toolkit: { name: string; description: string };
  profile: SourceProfile;
  /** The original name of each is its operation, such as `GET /pets`: another path or method is another action. */
  actions: NamedAction[];
  /** The addresses of the actions' calls, and their credentials. */
  targets: RequestTarget[];
  /** The address of the API: from the options, or from the document. */
  baseUrl: string;
  /** Tags of all operations, also of filtered ones. */
  tags: TagCount[];
  /** Names of actions that are missing only because of `include`, `exclude` and `deprecated`. */
  leftOut: string[];
  skipped: SkippedPart[];
  /** Required schemes without a credential in `auth`; the API will refuse their calls. */
  missing: MissingCredential[];
  /** The connection that the toolkit asks for with the actions of these names. */
  authOf(actions: Iterable<string>): ToolkitAuth | undefined;
}

/** @param document the parsed document, or its text as JSON or YAML. OpenAPI 2.0 and 3.0 to 3.2. */
export function importOpenapi(document: unknown, options: ImportOpenapiOptions = {}): OpenapiImport {
  try {
    return readDocument(document, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const advice = 'make it flatter, or import a part of it';
    throw new SvcError('INVALID_REQUEST', `The OpenAPI document is nested too deep to be read: ${advice}`, {}, { cause: error });
  }
}

function readDocument(document: unknown, options: ImportOpenapiOptions): OpenapiImport {
  const source = new OpenapiDocument(document);
  const toolkit = toolkitDetails(source);
  const { toolkitId = toToolkitId(toolkit.name), auth = {}, headers = {}, describe = {} } = options;
  const base = findBaseUrl(source, options.baseUrl);
  const { operations, skipped } = listOperations(source);
  const security = new Security(source, operations);
  const settings = connectionSettings(auth);
  const connection = settings && new ConnectionPlan(security, operations, settings);
  if (connection) checkHeaders(headers, connection.place);
  // A toolkit with connections has no credential of its operator to fall back to.
  const own = settings ? {} : (auth as OpenapiAuth);
  const credentials = new Credentials(security, own);
  const redactor = sourceRedactor({ openapi: { auth: own, headers, baseUrl: options.baseUrl } }, options.secrets);
  const candidates = nameOperations(operations, toolkitId, options.names);
  const selected = select(candidates, options);
  // Slack accepts its token as a header or in the query, and its document lists both.
  const fixed = Object.keys(headers).flatMap((name) => [`header ${name.toLowerCase()}`, `query ${name.toLowerCase()}`]);
  const tagTexts = tagDescriptions(source);
  const shapes = new ResultShapes(source);
  const actions: NamedAction[] = [];
  const plans: RequestPlan[] = [];
  const send = options.baseUrl === undefined ? publicFetch : undefined;
  const operationsByName = new Map<string, Operation>();
  for (const { name, operation } of selected) {
    const place = connection?.isFor(operation) ? connection.place : undefined;
    const sent = place ? [] : credentials.of(operation);
    const taken = [...sent, ...(place ? [place] : [])].map((each) => `${each.in} ${each.name.toLowerCase()}`);
    const payload = planPayload(operation, source, new Set([...fixed, ...taken]));
    const operationBase = operationBaseUrl(operation, source, base);
    const why = [payload, operationBase].find((each) => typeof each === 'string');
    if (typeof payload === 'string' || typeof operationBase === 'string') {
      skipped.push({ what: operation.key, why: String(why) });
      continue;
    }
    const { schema, leftOut } = slimSchema(payload.schema, source);
    const answers = successAnswers(operation, source);
    const result = shapes.of(operation, answers);
    skipped.push(...[...operation.leftOut, ...payload.leftOut, ...leftOut].map((part) => ({ what: operation.key, ...part })));
    const described = Object.hasOwn(describe, name) ? describe[name] : undefined;
    const ownBasePath = operationBase === base ? undefined : operationBase.pathname;
    const request = { ...operation, base: operationBase, accept: acceptOf(answers), headers, credentials: sent, payload };
    const plan = { ...request, connection: place };
    const actionAuth = connection?.actionAuth(operation);
    operationsByName.set(name, operation);
    plans.push(plan);
    actions.push({
      action: name,
      original: operation.key,
      ...(described === undefined ? operationText(operation, tagTexts) : { actionDescription: described }),
      payloadDescription: schema,
      ...(result && { resultDescription: result }),
      annotations: annotationsOf(operation.method),
      request: requestLines(operation, { payload, credentials: security.placesOf(operation), ownBasePath }, source),
      ...(actionAuth !== undefined && { auth: actionAuth }),
      handler: handlerOf(plan, redactor, send),
    });
  }
  checkDescribed(describe, actions);
  const chosenOperations = selected.map(({ operation }) => operation);
  skipped.push(...security.skipped(chosenOperations));
  const chosen = new Set(selected);
  return {
    toolkit,
    profile: documentProfile(source.root),
    actions,
    skipped,
    targets: requestTargets(plans),
    baseUrl: addressText(base),
    missing: (connection ?? credentials).missing(chosenOperations),
    authOf: (names) => connection?.authOf([...names].flatMap((name) => operationsByName.get(name) ?? [])),
    tags: countTags(candidates),
    leftOut: candidates.filter((candidate) => !chosen.has(candidate)).map(({ name }) => name),
  };
}

interface Candidate {
  name: string;
  operation: Operation;
  /** The name, and the operationId. */
  names: readonly string[];
  tags: readonly string[];
  method: string;
  path: string;
}

/** Names of all operations, so that no filter changes a name. */
function nameOperations(operations: readonly Operation[], toolkitId: string, kept: ReadonlyMap<string, string> | undefined): Candidate[] {
  const sources = operations.map(({ id, method, path, key }) => ({ original: id ?? nameOfPath(method, path), key }));
  const names = actionNames(sources, toolkitId, kept);
  return operations.map((operation, index) => {
    const { id, tags, method, path } = operation;
    const name = names[index] as string;
    return { name, operation, names: id === undefined ? [name] : [name, id], tags, method, path };
  });
}

function select(candidates: readonly Candidate[], { deprecated, ...filters }: ImportOpenapiOptions): Candidate[] {
  const current = candidates.filter(({ operation }) => deprecated || !operation.isDeprecated);
  const chosen = filterActions(current, filters);
  const max = DEFAULT_LIMITS.actionsPerToolkit;
  if (chosen.length <= max) return chosen;
  const advice = tagCounts(chosen) ? `the tags are ${tagCounts(chosen)}` : 'such as "GET /users/**"';
  throw new SvcError(
    'INVALID_REQUEST',
    `The document has ${chosen.length} operations, and a toolkit ${max}; choose with include: ${advice}`,
  );
}

function handlerOf(plan: RequestPlan, redactor: Redactor, send: SendFunction | undefined): ImportedAction['handler'] {
  const { connection: place, credentials, method } = plan;
  const call = async (ctx: ActionContext, payload: unknown, sent: readonly FixedCredential[], known: Redactor) => {
    const request = buildRequest(plan, payload, sent, ctx);
    const response = await sendRequest(request, ctx, send);
    return known.result(await resultOfResponse(response, { url: request.url, method, redactor: known, ctx }));
  };
  if (!place) return (ctx, payload) => call(ctx, payload, credentials, redactor);
  return (ctx, payload) =>
    withConnection(ctx, place, async (connection) => {
      try {
        return await call(ctx, payload, [credentialOf(connection, place)], redactor.with(connectionSecrets(connection)));
      } catch (error) {
        throw isObject(error) && error.code === UNAUTHORIZED ? new RefusedConnection(String(error.message)) : error;
      }
    });
}

function annotationsOf(method: string): ActionAnnotations {
  if (['GET', 'HEAD', 'OPTIONS', 'QUERY'].includes(method)) return { readOnly: true };
  if (method === 'PUT') return { idempotent: true };
  return method === 'DELETE' ? { destructive: true, idempotent: true } : {};
}

function checkDescribed(describe: Readonly<Record<string, string>>, actions: readonly ImportedAction[]): void {
  const names = new Set(actions.map(({ action }) => action));
  const unknown = Object.keys(describe).find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new SvcError('INVALID_REQUEST', `describe names the action ${JSON.stringify(unknown)}, which the source does not have`);
}
