/** An action of a server: one of its tools, or the reading of its resources. */
import type { ActionContext } from 'svc-sdk';
import { type ActionText, fingerprint, pinApprovals } from '../pins';
import type { TaskClient } from './task-client';

export interface ServerActionDetails {
  /** The name of the tool, or the MCP method for resources. */
  original: string;
  /** The preferred name of its action. */
  wantedName: string;
  text: ActionText;
  fingerprint: string;
}

export interface ServerAction extends ServerActionDetails {
  /** Fingerprints of the pins that approve it. */
  approvedBy: readonly string[];
  /**
   * Sends the request, reads the answer, and attaches the content beside the result.
   *
   * @param renew replaces the connection that the server refuses. Undefined for a call without one
   */
  call(client: TaskClient, ctx: ActionContext, payload: unknown, renew?: () => Promise<void>): Promise<unknown>;
}

export function serverAction(original: string, wantedName: string, text: ActionText, call: ServerAction['call']): ServerAction {
  return { original, wantedName, text, fingerprint: fingerprint(text), approvedBy: pinApprovals(text), call };
}
