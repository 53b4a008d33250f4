/**
 * OpenAPI 3.0 of the agent and admin API, which every generator of clients reads, generated from the zod schemas that parse the requests. The account library's own routes, below `/v1/auth`,
 * are not in it: docs/protocol.md section 10 names those that are in use.
 */
import * as z from 'zod';
import { ERRORS } from '../../protocol/errors';
import { PATHS } from '../../protocol/http';
import { version } from '../lib/version';
import { ADMIN_COMPONENTS, ADMIN_OPERATIONS } from './openapi/admin-operations';
import { AGENT_COMPONENTS, AGENT_OPERATIONS } from './openapi/agent-operations';
import { idParameter, OPENAPI_SCHEMA, type Operation, type Operations } from './openapi/operation';

const COMPONENTS = { ...AGENT_COMPONENTS, ...ADMIN_COMPONENTS };
type Component = keyof typeof COMPONENTS;

const OPERATIONS: Operations<Component> = { ...AGENT_OPERATIONS, ...ADMIN_OPERATIONS };

/** An admin key may what an owner may. */
const ACCESS: Record<Operation<Component>['key'], string[]> = {
  none: [],
  agent: ['agent'],
  'agent or toolkit': ['agent', 'toolkit'],
  person: ['session', 'admin'],
  owner: ['session', 'admin'],
};

function openApiDocument(): object {
  return {
    openapi: '3.0.3',
    info: {
      title: 'svc-sdk',
      version,
      description: 'docs/protocol.md is the normative text.',
      license: { name: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: mapValues(OPERATIONS, (methods, path) => mapValues(methods, (operation) => describe(operation, path))),
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        agent: bearer('svc_agent_…'),
        toolkit: bearer('svc_toolkit_…'),
        admin: bearer('svc_admin_…'),
        session: cookieAuth(),
      },
    },
  };
}

function describe(operation: Operation<Component>, path: string): object {
  const { id, summary, key, body, answer, status = 200, unavailable, parameters, answerHeaders, events, stream } = operation;
  return {
    operationId: id,
    summary,
    tags: [tagOf(path)],
    security: ACCESS[key].map((scheme) => ({ [scheme]: [] })),
    ...(key === 'owner' && { description: 'For owners.' }),
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: true, content: json(reference(body)) } }),
    responses: {
      [status]: {
        description: summary,
        ...(answerHeaders && { headers: mapValues(answerHeaders, (description) => ({ description, schema: { type: 'string' } })) }),
        ...(answer && { content: { ...content(answer), ...(events && EVENTS) } }),
        ...(stream && { content: CHANGES }),
      },
      ...(unavailable ? { 503: { description: 'Not now', content: content(unavailable) } } : problems(operation)),
    },
  };
}

/** Which errors an operation can have, by status: one by one, since generators take a `default` for a success too. All have one shape. */
function problems({ key, body, parameters = [], events }: Operation<Component>): object {
  const statuses = [
    ...(body || parameters.length > 0 ? [400] : []),
    ...(key === 'none' ? [] : [401, 403]),
    ...(parameters.includes(idParameter) || body ? [404] : []),
    ...(body ? [409, 413, 422] : []),
    ...(key === 'none' && !body ? [] : [429]),
    ...(events ? [499, 502, 504] : []),
    ...[500, 503],
  ];
  const schema = reference('Problem');
  const answers = statuses.map((status) => [status, { description: codesOf(status), content: { 'application/problem+json': { schema } } }]);
  return Object.fromEntries(answers);
}

function codesOf(status: number): string {
  const codes = Object.entries(ERRORS).filter(([, error]) => error.status === status);
  return codes.map(([code, { title }]) => `${code}: ${title}`).join('. ');
}

const TAGS: [tag: string, ...paths: string[]][] = [
  ['agents', PATHS.search, PATHS.invoke, PATHS.resolve, PATHS.explain, PATHS.actions, PATHS.toolkits, PATHS.tokens],
  ['mcp', PATHS.mcp, PATHS.protectedResource],
  ['operators', PATHS.health, PATHS.ready, PATHS.metrics],
  ['keys', PATHS.keys],
];

function tagOf(path: string): string {
  const found = TAGS.find(([, ...paths]) => paths.some((one) => path === one || path.startsWith(`${one}/`)));
  return found?.[0] ?? 'console';
}

const EVENTS = {
  'text/event-stream': {
    schema: { type: 'string', description: 'Events `progress` (Progress), then one `result` (InvokeResponse) or `error` (Problem)' },
  },
};

const CHANGES = {
  'text/event-stream': {
    schema: { type: 'string', description: 'Events `change` (ChangeEvent), and comments that keep the connection alive' },
  },
};

function componentSchemas(): object {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id });
  const { schemas: all } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}`, ...OPENAPI_SCHEMA, io: 'input' });
  return mapValues(all, ({ $schema, $id, ...schema }) => schema);
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

/** As the service sets it when somebody signs in; over https its name begins with `__Host-`. */
function cookieAuth(): object {
  return {
    type: 'apiKey',
    in: 'cookie',
    name: 'svc_session',
    description: 'Of a person who is signed in; changes need the header Origin too',
  };
}

function bearer(bearerFormat: string): object {
  return { type: 'http', scheme: 'bearer', bearerFormat };
}

function mapValues<From, To>(record: Record<string, From>, map: (value: From, name: string) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}

/** Made once, when this is loaded. */
export const openApi = openApiDocument();
