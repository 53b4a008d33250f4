/** `POST /v1/invoke` in the OpenAPI document. Apart from its handler, which the first call needs: its schemas are made for the document. */
import { PATHS } from '#sdk/protocol/http';
import { invokeRequest, invokeResponse, unfinishedInvocation } from '#sdk/protocol/schemas';
import type { DocumentedRoute } from './define-route';
import {
  actionVersion,
  ask,
  caller,
  connectionNames,
  connections,
  INVOKE_EVENTS,
  idempotencyKey,
  maxPayment,
  maxResultChars,
  prefer,
  searchId,
  sessionId,
  timeout,
  usage,
  userId,
} from './documented-headers';

/** Request headers of a call. */
export const INVOKE_HEADERS = [
  idempotencyKey,
  timeout,
  prefer,
  ask,
  maxResultChars,
  searchId,
  maxPayment,
  actionVersion,
  userId,
  sessionId,
  connections,
  connectionNames,
  caller,
  usage,
];

/** Served by `InvokeRoute`, not by hono. */
export const invokeDeclaration: DocumentedRoute = {
  id: 'invokeAction',
  summary: 'Use an action',
  method: 'POST',
  path: PATHS.invoke,
  access: 'agent',
  headers: INVOKE_HEADERS,
  body: invokeRequest,
  answer: invokeResponse,
  accepted: unfinishedInvocation,
  stream: INVOKE_EVENTS,
};
