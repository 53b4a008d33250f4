/**
 * Errors of a call for agents, by the failure between this process and the MCP server.
 *
 * Shape: `UPSTREAM_UNREACHABLE`: the call did not run. `UPSTREAM_LOST`: it may have run, so the bridge never repeats it.
 */
import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import type { ActionErrorOptions } from 'svc-sdk';
import { NOT_SENT } from '../not-sent';
import { codeOf, reasonOf } from '../reason-of';

type UpstreamErrorCode = 'TOOL_ERROR' | 'UPSTREAM_UNREACHABLE' | 'UPSTREAM_LOST' | 'UPSTREAM_CHANGED' | 'LINK_REQUIRED' | 'USER_REQUIRED';

export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly code: UpstreamErrorCode;
  readonly options: ActionErrorOptions;

  constructor(code: UpstreamErrorCode, message: string, options: ActionErrorOptions = {}) {
    super(message);
    this.code = code;
    this.options = options;
  }
}

/** The server answered 401. The call did not run. */
export class RefusedByServer extends UpstreamError {
  /** `WWW-Authenticate` of the answer. */
  readonly challenge: string | undefined;

  constructor({ status, message }: SdkHttpError, challenge?: string) {
    super('UPSTREAM_UNREACHABLE', answerText(status, message));
    this.challenge = challenge;
  }
}

/** A JSON-RPC error code of this program. */
export const CUT_OFF = -32_050;

const LOST = new Set<string>([SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed]);
const UNAUTHORIZED = 401;
const FIRST_SERVER_FAULT = 500;
const RETRYABLE_STATUSES = [429, 503];
const MAX_QUOTED_CHARS = 500;

/** Any other error is unchanged: an abort, a passed deadline, a fault of this program. */
export function toUpstreamError(error: unknown): unknown {
  if (error instanceof UpstreamError) return error;
  if (error instanceof UrlElicitationRequiredError) return linkRequired(error);
  if (error instanceof ProtocolError && error.code === CUT_OFF) return new UpstreamError('UPSTREAM_LOST', error.message);
  if (error instanceof ProtocolError) return new UpstreamError('TOOL_ERROR', error.message);
  if (error instanceof InsufficientScopeError) return scopeNeeded(error);
  if (error instanceof SdkHttpError) return httpError(error);
  if (error instanceof SdkError && LOST.has(error.code)) return new UpstreamError('UPSTREAM_LOST', 'The MCP server ended during the call');
  if (error instanceof SdkError && error.code !== SdkErrorCode.RequestTimeout) {
    return new UpstreamError('TOOL_ERROR', `The MCP server answered in a way that is not MCP: ${error.message}`);
  }
  return networkError(error);
}

function linkRequired({ message, elicitations }: UrlElicitationRequiredError): UpstreamError {
  const urls = elicitations.map(({ url }) => url);
  return new UpstreamError('LINK_REQUIRED', `${message} Give the user this link: ${urls.join(' ')}`, { data: { urls } });
}

function httpError(error: SdkHttpError): UpstreamError {
  const { status } = error;
  if (status === UNAUTHORIZED) return new RefusedByServer(error);
  const message = answerText(status, error.message);
  if (RETRYABLE_STATUSES.includes(status)) return new UpstreamError('UPSTREAM_UNREACHABLE', message, { retryable: true });
  return new UpstreamError(status >= FIRST_SERVER_FAULT ? 'UPSTREAM_LOST' : 'UPSTREAM_UNREACHABLE', message);
}

function answerText(status: number, text: string): string {
  return `The MCP server answered ${status}: ${text.slice(0, MAX_QUOTED_CHARS)}`;
}

function scopeNeeded({ requiredScope = '' }: InsufficientScopeError): UpstreamError {
  const scope = requiredScope.slice(0, MAX_QUOTED_CHARS);
  return new UpstreamError(
    'UPSTREAM_UNREACHABLE',
    `The MCP server wants another scope of the account${scope && ` (${scope})`}: its operator has to add it to auth.scopes`,
  );
}

function networkError(error: unknown): unknown {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error;
  const message = `No answer of the MCP server: ${reasonOf(error)}`;
  const wasSent = !NOT_SENT.has(codeOf(error.cause));
  return wasSent ? new UpstreamError('UPSTREAM_LOST', message) : new UpstreamError('UPSTREAM_UNREACHABLE', message, { retryable: true });
}
