/** The routes for agents, toolkits and operators, for the OpenAPI document. */
import * as z from 'zod';
import { PATHS } from '../../../protocol/http';
import * as schemas from '../../../protocol/schemas';
import { newToken } from '../../keys/new-token';
import type { DocumentedRoute } from '../define-route';
import { idempotencyKey, maxResultChars, SEARCH_ID_OF_ANSWER, searchId, timeout } from '../documented-headers';

const EVENTS = 'Events `progress` (Progress), then one `result` (InvokeResponse) or `error` (Problem)';

const mcpQuery = z.object({
  dynamicTools: z.boolean().exactOptional().describe('False leaves out search_services and invoke_service'),
  staticToolkits: z.string().exactOptional().describe('Toolkit ids with commas between'),
  staticActions: z.string().exactOptional().describe('Action ids with commas between'),
});

export const AGENT_ROUTES: readonly DocumentedRoute[] = [
  {
    id: 'searchActions',
    summary: 'Find actions',
    method: 'POST',
    path: PATHS.search,
    access: 'agent',
    headers: [searchId],
    body: schemas.searchRequest,
    answer: schemas.searchResponse,
    answerHeaders: SEARCH_ID_OF_ANSWER,
  },
  {
    id: 'invokeAction',
    summary: 'Use an action',
    method: 'POST',
    path: PATHS.invoke,
    access: 'agent',
    headers: [idempotencyKey, timeout, maxResultChars, searchId],
    body: schemas.invokeRequest,
    answer: schemas.invokeResponse,
    stream: { 'text/event-stream': EVENTS },
  },
  {
    id: 'resolveAction',
    summary: 'What an invoke would run',
    method: 'POST',
    path: PATHS.resolve,
    access: 'agent',
    body: schemas.invokeRequest,
    answer: schemas.resolveResponse,
  },
  {
    id: 'createToken',
    summary: 'Make a short-lived token for a page or an app; not with a token',
    method: 'POST',
    path: PATHS.tokens,
    access: 'agent',
    body: newToken,
    answer: schemas.createdToken,
    status: 201,
  },
  {
    id: 'explainSearch',
    summary: 'Why a search gives an action, or does not',
    method: 'POST',
    path: PATHS.explain,
    access: 'agent or toolkit',
    body: schemas.explainRequest,
    answer: schemas.explainResponse,
  },
  {
    id: 'listActions',
    summary: 'List actions',
    method: 'GET',
    path: PATHS.actions,
    access: 'agent',
    query: schemas.actionsQuery,
    answer: schemas.actionsPage,
  },
  { id: 'getAction', summary: 'One action', method: 'GET', path: `${PATHS.actions}/{id}`, access: 'agent', answer: schemas.catalogAction },
  {
    id: 'listToolkits',
    summary: 'List toolkits',
    method: 'GET',
    path: PATHS.toolkits,
    access: 'agent',
    query: schemas.pageQuery,
    answer: schemas.toolkitsPage,
  },
  {
    id: 'getToolkit',
    summary: 'One toolkit',
    method: 'GET',
    path: `${PATHS.toolkits}/{id}`,
    access: 'agent',
    answer: schemas.catalogToolkit,
  },
  {
    id: 'sendMcpMessage',
    summary: 'Model Context Protocol, streamable HTTP',
    method: 'POST',
    path: PATHS.mcp,
    access: 'agent',
    query: mcpQuery,
    answer: z.unknown(),
  },
  {
    id: 'getResourceMetadata',
    summary: 'Metadata of the MCP resource, RFC 9728',
    method: 'GET',
    path: PATHS.protectedResource,
    access: 'anyone',
    answer: z.unknown(),
  },
  {
    id: 'getMcpResourceMetadata',
    summary: 'The same',
    method: 'GET',
    path: `${PATHS.protectedResource}${PATHS.mcp}`,
    access: 'anyone',
    answer: z.unknown(),
  },
  { id: 'getHealth', summary: 'Does the process answer?', method: 'GET', path: PATHS.health, access: 'anyone', answer: z.unknown() },
  {
    id: 'getReadiness',
    summary: 'Should new calls come here?',
    method: 'GET',
    path: PATHS.ready,
    access: 'anyone',
    answer: schemas.ready,
    unavailable: schemas.notReady,
  },
  {
    id: 'getMetrics',
    summary: 'Prometheus metrics, where they are on',
    method: 'GET',
    path: PATHS.metrics,
    access: 'anyone',
    stream: { 'text/plain': 'Prometheus text format' },
  },
];
