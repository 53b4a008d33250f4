/** OpenAPI 3.1 of the agent and admin API, generated from the zod schemas that parse the requests. */
import { z } from 'zod';
import { HEADERS, PATHS } from '../../protocol/http';
import * as schemas from '../../protocol/schemas';
import { newKey } from '../keys/new-key';
import { version } from '../version';

const COMPONENTS = {
  SearchRequest: schemas.searchRequest,
  SearchResponse: schemas.searchResponse,
  ExplainRequest: schemas.explainRequest,
  ExplainResponse: schemas.explainResponse,
  InvokeRequest: schemas.invokeRequest,
  InvokeResponse: schemas.invokeResponse,
  ResolveResponse: schemas.resolveResponse,
  Progress: schemas.progress,
  CatalogAction: schemas.catalogAction,
  ActionsPage: schemas.actionsPage,
  CatalogToolkit: schemas.catalogToolkit,
  ToolkitsPage: schemas.toolkitsPage,
  CreateKeyRequest: newKey,
  KeysPage: schemas.keysPage,
  CreatedKey: schemas.createdKey,
  Ready: schemas.ready,
  NotReady: schemas.notReady,
  Problem: schemas.problem,
};
type Component = keyof typeof COMPONENTS;

interface Operation {
  summary: string;
  key: 'agent' | 'agent or toolkit' | 'admin' | 'none';
  body?: Component;
  /** Undefined: an answer without a body. */
  answer?: Component | 'any' | 'text';
  /** The answer with status 503, where it is no problem. */
  unavailable?: Component;
  status?: number;
  parameters?: object[];
  /** The answer may also be a stream of server-sent events. */
  events?: boolean;
}

const idParameter = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

const idempotencyKey = {
  name: HEADERS.idempotencyKey,
  in: 'header',
  description: 'Names the call: a retry with the same key gives the first result, never a second run',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

const timeout = {
  name: HEADERS.timeoutMs,
  in: 'header',
  description: 'Milliseconds that the caller waits',
  schema: { type: 'integer', minimum: 1 },
};

const mcpParameters = [
  { name: 'dynamicTools', in: 'query', description: 'False leaves out search_services and invoke_service', schema: { type: 'boolean' } },
  { name: 'staticToolkits', in: 'query', description: 'Toolkit ids with commas between', schema: { type: 'string' } },
  { name: 'staticActions', in: 'query', description: 'Action ids with commas between', schema: { type: 'string' } },
];

const OPERATIONS: Record<string, Record<string, Operation>> = {
  [PATHS.search]: { post: { summary: 'Find actions', key: 'agent', body: 'SearchRequest', answer: 'SearchResponse' } },
  [PATHS.invoke]: {
    post: {
      summary: 'Use an action',
      key: 'agent',
      body: 'InvokeRequest',
      answer: 'InvokeResponse',
      parameters: [idempotencyKey, timeout],
      events: true,
    },
  },
  [PATHS.resolve]: {
    post: { summary: 'What an invoke would run', key: 'agent', body: 'InvokeRequest', answer: 'ResolveResponse' },
  },
  [PATHS.explain]: {
    post: {
      summary: 'Why a search gives an action, or does not',
      key: 'agent or toolkit',
      body: 'ExplainRequest',
      answer: 'ExplainResponse',
    },
  },
  [PATHS.actions]: {
    get: { summary: 'List actions', key: 'agent', answer: 'ActionsPage', parameters: queryParameters(schemas.actionsQuery) },
  },
  [`${PATHS.actions}/{id}`]: { get: { summary: 'One action', key: 'agent', answer: 'CatalogAction', parameters: [idParameter] } },
  [PATHS.toolkits]: {
    get: { summary: 'List toolkits', key: 'agent', answer: 'ToolkitsPage', parameters: queryParameters(schemas.pageQuery) },
  },
  [`${PATHS.toolkits}/{id}`]: { get: { summary: 'One toolkit', key: 'agent', answer: 'CatalogToolkit', parameters: [idParameter] } },
  [PATHS.keys]: {
    get: { summary: 'List keys', key: 'admin', answer: 'KeysPage' },
    post: { summary: 'Make a key', key: 'admin', body: 'CreateKeyRequest', answer: 'CreatedKey', status: 201 },
  },
  [`${PATHS.keys}/{id}`]: { delete: { summary: 'Revoke a key', key: 'admin', parameters: [idParameter], status: 204 } },
  [`${PATHS.keys}/{id}/rotate`]: {
    post: { summary: 'Give a key a new secret', key: 'admin', answer: 'CreatedKey', parameters: [idParameter] },
  },
  [PATHS.mcp]: {
    post: { summary: 'Model Context Protocol, streamable HTTP', key: 'agent', answer: 'any', parameters: mcpParameters },
  },
  [PATHS.protectedResource]: { get: { summary: 'Metadata of the MCP resource, RFC 9728', key: 'none', answer: 'any' } },
  [`${PATHS.protectedResource}${PATHS.mcp}`]: { get: { summary: 'The same', key: 'none', answer: 'any' } },
  [PATHS.health]: { get: { summary: 'Does the process answer?', key: 'none', answer: 'any' } },
  [PATHS.ready]: { get: { summary: 'Should new calls come here?', key: 'none', answer: 'Ready', unavailable: 'NotReady' } },
  [PATHS.metrics]: { get: { summary: 'Prometheus metrics, where they are on', key: 'none', answer: 'text' } },
};

export function openApiDocument(): object {
  return {
    openapi: '3.1.1',
    info: {
      title: 'svc-sdk',
      version,
      description: 'docs/protocol.md is the normative text.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: mapValues(OPERATIONS, (methods, path) => mapValues(methods, (operation, method) => describe(operation, method, path))),
    components: {
      schemas: componentSchemas(),
      securitySchemes: { agent: bearer('svc_agent_…'), toolkit: bearer('svc_toolkit_…'), admin: bearer('svc_admin_…') },
    },
  };
}

function describe(operation: Operation, method: string, path: string): object {
  const { summary, key, body, answer, status = 200, unavailable, parameters, events } = operation;
  return {
    operationId: `${method}${path.replaceAll(/[^A-Za-z]+/g, '_')}`,
    summary,
    security: key === 'none' ? [] : key.split(' or ').map((kind) => ({ [kind]: [] })),
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: true, content: json(reference(body)) } }),
    responses: {
      [status]: { description: summary, ...(answer && { content: { ...content(answer), ...(events && EVENTS) } }) },
      ...(unavailable && { 503: { description: 'Not now', content: content(unavailable) } }),
      default: { description: 'What went wrong, RFC 9457', content: { 'application/problem+json': { schema: reference('Problem') } } },
    },
  };
}

const EVENTS = {
  'text/event-stream': {
    schema: { type: 'string', description: 'Events `progress` (Progress), then one `result` (InvokeResponse) or `error` (Problem)' },
  },
};

function componentSchemas(): object {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id });
  const { schemas: all } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}`, io: 'input' });
  return mapValues(all, ({ $schema, $id, ...schema }) => schema);
}

function queryParameters(query: z.ZodType): object[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'output' });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name) && !hasDefault(schema),
    schema,
  }));
}

function hasDefault(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'default' in schema;
}

function reference(component: Component | 'any'): object {
  return component === 'any' ? {} : { $ref: `#/components/schemas/${component}` };
}

function content(answer: Component | 'any' | 'text'): object {
  return answer === 'text' ? { 'text/plain': { schema: { type: 'string' } } } : json(reference(answer));
}

function json(schema: object): object {
  return { 'application/json': { schema } };
}

function bearer(bearerFormat: string): object {
  return { type: 'http', scheme: 'bearer', bearerFormat };
}

function mapValues<From, To>(record: Record<string, From>, map: (value: From, name: string) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}
