/** What agents, toolkits and operators ask. */
import { HEADERS, MIN_RESULT_CHARS, PATHS } from '../../../protocol/http';
import * as schemas from '../../../protocol/schemas';
import { newToken } from '../../keys/new-token';
import { idParameter, type Operations, queryParameters } from './operation';

export const AGENT_COMPONENTS = {
  SearchRequest: schemas.searchRequest,
  SearchResponse: schemas.searchResponse,
  ExplainRequest: schemas.explainRequest,
  ExplainResponse: schemas.explainResponse,
  InvokeRequest: schemas.invokeRequest,
  InvokeResponse: schemas.invokeResponse,
  ResolveResponse: schemas.resolveResponse,
  CreateTokenRequest: newToken,
  CreatedToken: schemas.createdToken,
  Progress: schemas.progress,
  CatalogAction: schemas.catalogAction,
  ActionsPage: schemas.actionsPage,
  CatalogToolkit: schemas.catalogToolkit,
  ToolkitsPage: schemas.toolkitsPage,
  Ready: schemas.ready,
  NotReady: schemas.notReady,
  Problem: schemas.problem,
};

export const idempotencyKey = {
  name: HEADERS.idempotencyKey,
  in: 'header',
  description: 'Names the call: a retry with the same key gives the first result, never a second run',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

export const timeout = {
  name: HEADERS.timeoutMs,
  in: 'header',
  description: 'Milliseconds that the caller waits',
  schema: { type: 'integer', minimum: 1 },
};

export const maxResultChars = {
  name: HEADERS.maxResultChars,
  in: 'header',
  description: 'Characters of the result at once; of a longer one comes the first part, and svc__read_result reads on',
  schema: { type: 'integer', minimum: MIN_RESULT_CHARS },
};

export const searchId = {
  name: HEADERS.searchId,
  in: 'header',
  description: 'Of the search that led to this request, as its answer named it',
  schema: { type: 'string', maxLength: 100 },
};

export const SEARCH_ID_OF_ANSWER = { [HEADERS.searchId]: 'Names this search: send it with the call of an action that it showed' };

const mcpParameters = [
  { name: 'dynamicTools', in: 'query', description: 'False leaves out search_services and invoke_service', schema: { type: 'boolean' } },
  { name: 'staticToolkits', in: 'query', description: 'Toolkit ids with commas between', schema: { type: 'string' } },
  { name: 'staticActions', in: 'query', description: 'Action ids with commas between', schema: { type: 'string' } },
];

export const AGENT_OPERATIONS: Operations<keyof typeof AGENT_COMPONENTS> = {
  [PATHS.search]: {
    post: {
      id: 'searchActions',
      summary: 'Find actions',
      key: 'agent',
      body: 'SearchRequest',
      answer: 'SearchResponse',
      parameters: [searchId],
      answerHeaders: SEARCH_ID_OF_ANSWER,
    },
  },
  [PATHS.invoke]: {
    post: {
      id: 'invokeAction',
      summary: 'Use an action',
      key: 'agent',
      body: 'InvokeRequest',
      answer: 'InvokeResponse',
      parameters: [idempotencyKey, timeout, maxResultChars, searchId],
      events: true,
    },
  },
  [PATHS.resolve]: {
    post: { id: 'resolveAction', summary: 'What an invoke would run', key: 'agent', body: 'InvokeRequest', answer: 'ResolveResponse' },
  },
  [PATHS.tokens]: {
    post: {
      id: 'createToken',
      summary: 'Make a short-lived token for a page or an app; not with a token',
      key: 'agent',
      body: 'CreateTokenRequest',
      answer: 'CreatedToken',
      status: 201,
    },
  },
  [PATHS.explain]: {
    post: {
      id: 'explainSearch',
      summary: 'Why a search gives an action, or does not',
      key: 'agent or toolkit',
      body: 'ExplainRequest',
      answer: 'ExplainResponse',
    },
  },
  [PATHS.actions]: {
    get: {
      id: 'listActions',
      summary: 'List actions',
      key: 'agent',
      answer: 'ActionsPage',
      parameters: queryParameters(schemas.actionsQuery),
    },
  },
  [`${PATHS.actions}/{id}`]: {
    get: { id: 'getAction', summary: 'One action', key: 'agent', answer: 'CatalogAction', parameters: [idParameter] },
  },
  [PATHS.toolkits]: {
    get: {
      id: 'listToolkits',
      summary: 'List toolkits',
      key: 'agent',
      answer: 'ToolkitsPage',
      parameters: queryParameters(schemas.pageQuery),
    },
  },
  [`${PATHS.toolkits}/{id}`]: {
    get: { id: 'getToolkit', summary: 'One toolkit', key: 'agent', answer: 'CatalogToolkit', parameters: [idParameter] },
  },
  [PATHS.mcp]: {
    post: {
      id: 'sendMcpMessage',
      summary: 'Model Context Protocol, streamable HTTP',
      key: 'agent',
      answer: 'any',
      parameters: mcpParameters,
    },
  },
  [PATHS.protectedResource]: {
    get: { id: 'getResourceMetadata', summary: 'Metadata of the MCP resource, RFC 9728', key: 'none', answer: 'any' },
  },
  [`${PATHS.protectedResource}${PATHS.mcp}`]: { get: { id: 'getMcpResourceMetadata', summary: 'The same', key: 'none', answer: 'any' } },
  [PATHS.health]: { get: { id: 'getHealth', summary: 'Does the process answer?', key: 'none', answer: 'any' } },
  [PATHS.ready]: {
    get: { id: 'getReadiness', summary: 'Should new calls come here?', key: 'none', answer: 'Ready', unavailable: 'NotReady' },
  },
  [PATHS.metrics]: { get: { id: 'getMetrics', summary: 'Prometheus metrics, where they are on', key: 'none', answer: 'text' } },
};
