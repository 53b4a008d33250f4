/** Serves other nodes: runs their calls, answers with the outcome of a call that runs here, cancels. */
import { SvcError } from '#sdk/protocol/errors';
import { parseActionId } from '#sdk/protocol/ids';
import { readTraceContext } from '#sdk/protocol/trace-context';
import type { AnswerCall, NodeServer } from '../cluster/cluster';
import type { CallMessage, JoinMessage } from '../cluster/message-schemas';
import type { Hub } from '../hub/hub';
import type { InvocationStart } from '../store/store';
import { attemptRequest } from './attempt-request';
import type { CallDirectory } from './call-directory';
import type { CallRunner } from './call-runner';
import type { CallShutdown } from './call-shutdown';
import type { Ended } from './call-state';
import type { ConnectionSeal } from './connection-seal';
import { readHold } from './payment';
import type { PendingCall } from './pending-call';
import { asReplayed } from './response-json';
import { startOrJoin } from './start-or-join';
import { Timeline } from './timeline';

export interface PeerCallsDeps {
  node: string;
  hub: Pick<Hub, 'isFree' | 'pump' | 'instanceMoved'>;
  directory: CallDirectory;
  runner: Pick<CallRunner, 'start'>;
  shutdown: CallShutdown;
  seal: ConnectionSeal;
}

interface PeerCaller {
  callId: string;
  agentKeyId: string;
  timeoutMs: number;
  detached: boolean | undefined;
}

export class PeerCalls implements NodeServer {
  readonly #deps: PeerCallsDeps;
  /** The call's id at the other node -> function that removes its caller. */
  readonly #callers = new Map<string, () => void>();

  constructor(deps: PeerCallsDeps) {
    this.#deps = deps;
  }

  call(message: CallMessage, payloadJson: string, answer: AnswerCall): void {
    const { id, agentKeyId, attempt, timeoutMs, detached } = message;
    const { node, hub, shutdown } = this.#deps;
    const action = parseActionId(message.action);
    const refuse = (error: SvcError) => answer({ kind: 'error', from: node, error: error.toJSON(), attempts: attempt, refused: true });
    if (!action) return refuse(new SvcError('INVALID_REQUEST', 'There is no such action'));
    if (shutdown.isStopping) return refuse(shutdown.error('try again'));
    if (message.ifFree && !hub.isFree(action.toolkitId, action.actionName, message.actionVersion)) return answer({ kind: 'busy' });
    try {
      this.#answer(this.#callOf(message, { ...action, payloadJson }), { callId: id, agentKeyId, timeoutMs, detached }, answer);
    } catch (error) {
      if (!SvcError.is(error)) throw error;
      refuse(error);
    }
  }

  join({ id, callId, agentKeyId, timeoutMs, detached }: JoinMessage, answer: AnswerCall): void {
    const call = this.#deps.directory.claimed(id);
    if (call?.record.agentKeyId !== agentKeyId || this.#deps.shutdown.isStopping) return answer({ kind: 'unknown' });
    this.#answer(call, { callId, agentKeyId, timeoutMs, detached }, answer);
  }

  cancel(callId: string): void {
    this.#callers.get(callId)?.();
  }

  callCancelled(id: string): void {
    this.#deps.directory.claimed(id)?.cancel();
  }

  othersCounted(): void {
    this.#deps.hub.pump();
  }

  instanceMoved(instance: Parameters<NodeServer['instanceMoved']>[0]): void {
    this.#deps.hub.instanceMoved(instance);
  }

  #callOf(message: CallMessage, to: { toolkitId: string; actionName: string; payloadJson: string }): PendingCall {
    const {
      id,
      agentKeyId,
      claimKey,
      idempotencyKey,
      requestHash,
      action,
      actionVersion,
      attempt,
      timeoutMs,
      repaired,
      userId,
      namedUser,
      connection,
      searchId,
      madeBy,
      origin,
      hold,
    } = message;
    const { node, seal } = this.#deps;
    const used = connection === undefined ? undefined : seal.open(connection, id);
    const record: InvocationStart = { id, agentKeyId, idempotencyKey: claimKey, requestHash, action, startedAt: Date.now() };
    if (hold) record.hold = readHold(hold);
    if (madeBy !== undefined) record.madeBy = madeBy;
    if (origin !== undefined) record.origin = origin;
    const deadline = record.startedAt + timeoutMs;
    const trace = readTraceContext(message.traceparent, message.tracestate);
    const request = attemptRequest(record, {
      ...to,
      actionVersion,
      ...(userId !== undefined && { userId }),
      ...(namedUser && { namedUser }),
      ...(used && { used }),
      idempotencyKey,
      attempt,
      deadline,
      ...trace,
    });
    const { call } = startOrJoin(this.#deps, {
      record,
      request,
      // Joining a call that waits for the other node would be a deadlock. If two calls with one key get this far, only one can claim it.
      mayJoin: (running) => running.isClaimed || running.origin.from === 'peer',
      origin: () => ({ from: 'peer', repaired, timeline: message.watched ? new Timeline(node) : undefined, searchId }),
    });
    return call;
  }

  #answer(call: PendingCall, caller: PeerCaller, answer: AnswerCall): void {
    const { callId, agentKeyId, timeoutMs, detached } = caller;
    call.join({
      keyId: agentKeyId,
      timeoutMs,
      detached,
      onDisconnect: (leave) => this.#callers.set(callId, leave),
      onProgress: (progress) => answer({ kind: 'progress', progress }),
      answer: (ended) => {
        this.#callers.delete(callId);
        this.#answerEnd(call, callId, ended, answer);
      },
    });
  }

  #answerEnd(call: PendingCall, callId: string, ended: Ended, answer: AnswerCall): void {
    const isFirst = call.id === callId;
    const timeline = isFirst && call.timeline ? { timeline: call.timeline.entries } : {};
    if ('responseJson' in ended)
      return answer({ kind: 'result', ...timeline }, isFirst ? ended.responseJson : asReplayed(ended.responseJson));
    const { attempt } = call.attempt.request;
    const head = { kind: 'error', from: this.#deps.node, error: ended.error.toJSON() } as const;
    answer({ ...head, attempts: attempt, refused: !call.mayHaveRun, ...timeline });
  }
}
