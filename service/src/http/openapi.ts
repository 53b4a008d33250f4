/**
 * Generates the OpenAPI document of the agent and admin API from the declared routes and their zod schemas. Version 3.0, which every client
 * generator reads. The routes of better-auth below `/v1/auth` are not included: docs/protocol.md section 10 names those in use.
 */
import * as z from 'zod';
import { ERRORS } from '#sdk/protocol/errors';
import { PATHS } from '#sdk/protocol/http';
import { OAUTH_PATHS } from '#sdk/protocol/oauth-paths';
import { components, problem } from '#sdk/protocol/schemas';
import { version } from '../lib/version';
import { AGENT_ROUTES } from './agent-routes';
import type { Access, DocumentedRoute } from './define-route';

/** @param adminRoutes passed in, because an import would load the admin chunk with this one */
export function openApiDocument(adminRoutes: readonly DocumentedRoute[]): object {
  const byPath = Map.groupBy([...AGENT_ROUTES, ...adminRoutes], ({ path }) => path);
  return {
    openapi: '3.0.3',
    info: {
      title: 'svc-sdk',
      version,
      description: 'docs/protocol.md is the normative text.',
      license: { name: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(
      Array.from(byPath, ([path, routes]) => [
        path,
        Object.fromEntries(
          Array.from(
            Map.groupBy(routes, ({ method }) => method.toLowerCase()),
            ([method, same]) => [method, describeAll(same)],
          ),
        ),
      ]),
    ),
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

/** Two routes of one path are for different callers: one operation documents both. */
function describeAll(routes: readonly DocumentedRoute[]): Operation {
  const [first, ...others] = routes as [DocumentedRoute, ...DocumentedRoute[]];
  const described = describe(first);
  for (const other of others) {
    const { summary, security, responses } = describe(other);
    described.description = `For people: ${summary}.`;
    described.security.push(...security);
    const [one, another] = [described.responses[200]?.content?.['application/json'], responses[200]?.content?.['application/json']];
    if (one && another) one.schema = { oneOf: [one.schema, another.schema] };
  }
  return described;
}

interface Content {
  'application/json'?: { schema: object };
}

interface Operation {
  summary: string;
  description?: string;
  security: object[];
  responses: Record<string | number, { description?: string; content?: Content }>;
}

function describe(route: DocumentedRoute): Operation {
  const { id, summary, path, access, body, form, answer, accepted, stream, status, unavailable, answerHeaders } = route;
  const parameters = parametersOf(route);
  return {
    operationId: id,
    summary,
    tags: [tagOf(path)],
    security: schemesOf(access).map((scheme) => ({ [scheme]: [] })),
    ...(isForOwners(access) && { description: 'For owners.' }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: json('documentedBy' in body ? body.documentedBy : body) } }),
    ...(form && { requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } } } }),
    responses: {
      [status ?? (answer || stream ? 200 : 204)]: {
        description: summary,
        ...(answerHeaders && { headers: mapValues(answerHeaders, (description) => ({ description, schema: { type: 'string' } })) }),
        ...((answer || stream) && { content: { ...(answer && json(answer)), ...(stream && mapValues(stream, streamOf)) } }),
      },
      ...(accepted && { 202: { description: 'It goes on', content: json(accepted) } }),
      ...(unavailable ? { 503: { description: 'Not now', content: json(unavailable) } } : problems(route)),
    },
  } as Operation;
}

function parametersOf({ path, query, headers = [] }: DocumentedRoute): object[] {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
  const inPath = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  return [...inPath, ...(query ? queryParameters(query) : []), ...headers];
}

function queryParameters(query: z.ZodType): object[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { ...OPENAPI_SCHEMA, io: 'output' });
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as z.core.JSONSchema.Schema;
    const isRequired = required.includes(name) && !('default' in schema);
    return { name, in: 'query', required: isRequired, ...(description !== undefined && { description }), schema };
  });
}

/** Lists each error status of a route, because generators also take a `default` response for a success. */
function problems({ path, access, query, headers = [], body, answer, stream }: DocumentedRoute): object {
  const isKnown = !isOpen(access);
  const hasId = path.includes('{');
  const statuses = [
    ...(body || hasId || query || headers.length > 0 ? [400] : []),
    ...(isKnown ? [401, 403] : []),
    ...(hasId || body ? [404] : []),
    ...(body ? [409, 413, 422] : []),
    ...(isKnown || body ? [429] : []),
    ...(answer && stream ? [499, 502, 504] : []),
    ...[500, 503],
  ];
  const content = { 'application/problem+json': { schema: reference(problem) } };
  return Object.fromEntries(statuses.map((status) => [status, { description: codesOf(status), content }]));
}

function codesOf(status: number): string {
  const codes = Object.entries(ERRORS).filter(([, error]) => error.status === status);
  return codes.map(([code, { title }]) => `${code}: ${title}`).join('. ');
}

/** An admin key has the rights of an owner. */
function schemesOf(access: Access): string[] {
  if (isOpen(access)) return [];
  if (access === 'person' || isForOwners(access)) return ['session', 'admin'];
  if (access === 'person or agent key') return ['session', 'admin', 'agent'];
  return access === 'agent or toolkit' ? ['agent', 'toolkit'] : ['agent'];
}

function isOpen(access: Access): boolean {
  return access === 'anyone' || access === 'link';
}

function isForOwners(access: Access): boolean {
  return typeof access === 'object';
}

const TAGS: [tag: string, ...paths: string[]][] = [
  ['agents', PATHS.search, PATHS.invoke, PATHS.resolve, PATHS.explain, PATHS.actions, PATHS.toolkits, PATHS.tokens],
  ['mcp', PATHS.mcp, PATHS.protectedResource],
  [
    'oauth',
    OAUTH_PATHS.authorizationServer,
    OAUTH_PATHS.openIdConfiguration,
    OAUTH_PATHS.registerClient,
    OAUTH_PATHS.oauthToken,
    OAUTH_PATHS.revokeToken,
  ],
  ['operators', PATHS.health, PATHS.ready, PATHS.metrics],
  ['keys', PATHS.keys],
];

function tagOf(path: string): string {
  const found = TAGS.find(([, ...paths]) => paths.some((one) => path === one || path.startsWith(`${one}/`)));
  return found?.[0] ?? 'console';
}

/** Generators turn enum values into names and ignore case, so of `ok` and `OK`, which mean the same, only the first is kept. */
const OPENAPI_SCHEMA = {
  target: 'openapi-3.0',
  override: ({ jsonSchema }: { jsonSchema: { enum?: unknown[] | undefined } }) => {
    const { enum: values } = jsonSchema;
    if (values)
      jsonSchema.enum = [...new Map(values.map((value) => [String(value).toLowerCase(), value] as const).reverse()).values()].reverse();
  },
} as const;

function componentSchemas(): object {
  const { schemas } = z.toJSONSchema(components, { uri: (id) => `#/components/schemas/${id}`, ...OPENAPI_SCHEMA, io: 'input' });
  return mapValues(schemas, ({ $schema, $id, ...schema }) => schema);
}

/** @throws for a schema that is not registered among the components, unless it accepts anything */
function reference(schema: z.ZodType): object {
  const name = components.get(schema)?.id;
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (schema instanceof z.ZodUnknown) return {};
  throw new Error('The schema of a body or an answer must be registered: .register(components, { id: … })');
}

function json(schema: z.ZodType): Content {
  return { 'application/json': { schema: reference(schema) } };
}

function streamOf(description: string): object {
  return { schema: { type: 'string', description } };
}

/** The cookie that a sign-in sets. Over HTTPS its name has the prefix `__Host-`. */
function cookieAuth(): object {
  return {
    type: 'apiKey',
    in: 'cookie',
    name: 'svc_session',
    description: 'Session of a signed-in person. Changes also need the header Origin',
  };
}

function bearer(bearerFormat: string): object {
  return { type: 'http', scheme: 'bearer', bearerFormat };
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, map: (value: From, name: string) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}
