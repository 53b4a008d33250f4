/**
 * A client that accepts a task as the answer to a tool call of revision 2026-07-28, and passes on the progress of tasks: the SDK's client refuses the
 * one, and forgets a progress token when its request is answered.
 */
import { Client, type JSONRPCNotification, type JSONRPCResponse, type JSONRPCResultResponse } from '@modelcontextprotocol/client';
import type { ActionContext } from 'svc-sdk';
import { isObject } from '#sdk/protocol/json-object';

type Progress = Parameters<ActionContext['progress']>[0];
type ProgressListener = (progress: Progress) => void;

/** The extension of revision 2026-07-28. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Member of a result's `_meta` that holds the task. */
const TASK = 'svc-sdk/task';

export class TaskClient extends Client {
  readonly #listeners = new Map<string, ProgressListener>();
  #tokens = 0;

  /** A progress token that is good until `end`. */
  watchProgress(listener: ProgressListener): { progressToken: string; end(): void } {
    const progressToken = `call-${++this.#tokens}`;
    this.#listeners.set(progressToken, listener);
    return { progressToken, end: () => void this.#listeners.delete(progressToken) };
  }

  protected override _onresponse(response: JSONRPCResponse): void {
    super._onresponse('result' in response ? { ...response, result: acceptable(response.result) } : response);
  }

  protected override _onnotification(...[notification, extra]: Parameters<Client['_onnotification']>): void {
    const progress = progressOf(notification);
    const listener = progress && this.#listeners.get(progress.token);
    if (listener) listener(progress.report);
    else super._onnotification(notification, extra);
  }
}

/** Undefined for another answer than a task. */
export function taskOf({ _meta, task }: { _meta?: unknown; task?: unknown }): unknown {
  // Revision 2025-11-25 has it in the result itself.
  return (isObject(_meta) ? _meta[TASK] : undefined) ?? task;
}

function acceptable(result: JSONRPCResultResponse['result']): JSONRPCResultResponse['result'] {
  if (result.resultType !== 'task') return result;
  const { resultType: _, _meta, ...task } = result;
  return { resultType: 'complete', content: [], _meta: { ..._meta, [TASK]: task } };
}

function progressOf({ method, params }: JSONRPCNotification): { token: string; report: Progress } | undefined {
  if (method !== 'notifications/progress' || !isObject(params)) return undefined;
  const { progressToken, progress, total, message } = params;
  if (typeof progressToken !== 'string' || typeof progress !== 'number') return undefined;
  return {
    token: progressToken,
    report: { progress, ...(typeof total === 'number' && { total }), ...(typeof message === 'string' && { message }) },
  };
}
