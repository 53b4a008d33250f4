/** Who looks on while calls run: metrics, traces and the log. Without any, nothing is laid around the invoker. */
import { SvcError } from '../../protocol/errors';
import type { TraceContext } from '../../protocol/trace-context';
import type { AcceptedInvocation, InvokeCall } from './invoker';

export type Invoke = (call: InvokeCall) => Promise<string>;

/** How one call ended for its caller. */
interface CallFate {
  /** Undefined when the call was refused before its action was found and its payload checked. */
  accepted: AcceptedInvocation | undefined;
  /** What the caller wrote as action id, at most 100 characters. Undefined when the call was refused before. */
  asked: string | undefined;
  /** `OK` or an error code. */
  code: string;
  ms: number;
}

/** Hears of one call. Must return soon, and not throw. */
export interface CallWatch {
  /** Goes to the handler in place of what the caller sent. */
  trace?: TraceContext | undefined;
  accepted?(accepted: AcceptedInvocation): void;
  ended(fate: CallFate): void;
}

export type CallWatcher = (call: InvokeCall) => CallWatch;

export function watchedCalls(invoke: Invoke, watchers: readonly CallWatcher[]): Invoke {
  if (watchers.length === 0) return invoke;
  return async (call) => {
    const startedAt = performance.now();
    const watches = watchers.map((watch) => watch(call));
    let accepted: AcceptedInvocation | undefined;
    let asked: string | undefined;
    const onAction = (actionId: string) => {
      asked = actionId;
    };
    const onAccepted = (invocation: AcceptedInvocation) => {
      accepted = invocation;
      for (const watch of watches) watch.accepted?.(invocation);
    };
    const end = (code: string) => {
      const fate = { accepted, asked, code, ms: performance.now() - startedAt };
      for (const watch of watches) watch.ended(fate);
    };
    try {
      const response = await invoke({ ...call, trace: watches.find(({ trace }) => trace)?.trace ?? call.trace, onAction, onAccepted });
      end('OK');
      return response;
    } catch (error) {
      end(SvcError.is(error) ? error.code : 'INTERNAL');
      throw error;
    }
  };
}
