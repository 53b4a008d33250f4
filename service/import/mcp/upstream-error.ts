/**
 * Errors of a call for agents, by the failure between this process and the MCP server.
 *
 * Shape: `UPSTREAM_UNREACHABLE`: the call did not run. `UPSTREAM_LOST`: it may have run, so the bridge never repeats it.
 */
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UrlElicitationRequiredError } from '@modelcontextprotocol/client';
import type { ActionErrorOptions } from 'svc-sdk';
import { NOT_SENT } from '../not-sent';
import { codeOf, reasonOf } from '../reason-of';

type UpstreamErrorCode =
  | 'TOOL_ERROR'
  | 'UPSTREAM_UNREACHABLE'
  | 'UPSTREAM_LOST'
  | 'UPSTREAM_CHANGED'
  | 'CONNECTION_REQUIRED'
  | 'USER_REQUIRED';

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

/** A JSON-RPC error code of this program. */
export const CUT_OFF = -32_050;

const LOST = new Set<string>([SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed]);
const FIRST_SERVER_FAULT = 500;
const RETRYABLE_STATUSES = [429, 503];
const MAX_QUOTED_CHARS = 500;

/** Any other error is unchanged: an abort, a passed deadline, a fault of this program. */
export function toUpstreamError(error: unknown): unknown {
  if (error instanceof UpstreamError) return error;
  if (error instanceof UrlElicitationRequiredError) return connectionRequired(error);
  if (error instanceof ProtocolError && error.code === CUT_OFF) return new UpstreamError('UPSTREAM_LOST', error.message);
  if (error instanceof ProtocolError) return new UpstreamError('TOOL_ERROR', error.message);
  if (error instanceof SdkHttpError) return httpError(error);
  if (error instanceof SdkError && LOST.has(error.code)) return new UpstreamError('UPSTREAM_LOST', 'The MCP server ended during the call');
  if (error instanceof SdkError && error.code !== SdkErrorCode.RequestTimeout) {
    return new UpstreamError('TOOL_ERROR', `The MCP server answered in a way that is not MCP: ${error.message}`);
  }
  return networkError(error);
}

function connectionRequired({ message, elicitations }: UrlElicitationRequiredError): UpstreamError {
  const urls = elicitations.map(({ url }) => url);
  return new UpstreamError('CONNECTION_REQUIRED', `${message} Give the user this link: ${urls.join(' ')}`, { data: { urls } });
}

function httpError(error: SdkHttpError): UpstreamError {
  const { status } = error;
  const message = `The MCP server answered ${status}: ${error.message.slice(0, MAX_QUOTED_CHARS)}`;
  if (RETRYABLE_STATUSES.includes(status)) return new UpstreamError('UPSTREAM_UNREACHABLE', message, { retryable: true });
  return new UpstreamError(status >= FIRST_SERVER_FAULT ? 'UPSTREAM_LOST' : 'UPSTREAM_UNREACHABLE', message);
}

function networkError(error: unknown): unknown {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error;
  const message = `No answer of the MCP server: ${reasonOf(error)}`;
  const wasSent = !NOT_SENT.has(codeOf(error.cause));
  return wasSent ? new UpstreamError('UPSTREAM_LOST', message) : new UpstreamError('UPSTREAM_UNREACHABLE', message, { retryable: true });
}
