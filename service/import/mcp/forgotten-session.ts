/**
 * True if a server refused a request because the session has expired, for example after a restart. Such a request did not run.
 *
 * Shape:  404, or 400 with a message about a session. Other servers answer 503, 401, or 200 with a JSON-RPC error, like a tool that ran: then a
 *         ping, which has no effects, must be refused in the same way.
 * Source: Model Context Protocol 2025-11-25, basic/transports, "Session Management".
 */
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { Connection } from './connection';

const SPEAKS_OF_SESSION = /session|not initialized/i;

export async function isForgottenSession(error: unknown, connection: Connection): Promise<boolean> {
  // The process ended before the message was written.
  if (error instanceof SdkError && error.code === SdkErrorCode.NotConnected) return true;
  if (!connection.hasSession) return false;
  if (isRefusedSession(error)) return true;
  return speaksOfSession(error) && isRefused(await connection.ping());
}

function isRefused(error: unknown): boolean {
  return isRefusedSession(error) || speaksOfSession(error);
}

function isRefusedSession(error: unknown): boolean {
  return error instanceof SdkHttpError && (error.status === 404 || (error.status === 400 && speaksOfSession(error)));
}

function speaksOfSession(error: unknown): boolean {
  return (error instanceof SdkHttpError || error instanceof ProtocolError) && SPEAKS_OF_SESSION.test(error.message);
}
