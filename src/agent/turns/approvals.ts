/** Approval of calls: decides which calls need approval, builds the question, and checks who may answer. */
import { describeCall, type ResolveResponse, SvcError } from 'svc-sdk';
import type { Decision } from 'svc-sdk/agent-tool';
import type { Message, ToolCall } from '../chat/message';
import type { AgentTurn, Approval } from '../store/agent-turn';
import { errorResult } from './error-result';
import type { TurnTools } from './turn-tools';

/** Timeout of a question, in milliseconds. No answer refuses the calls. */
const ANSWER_WITHIN_MS = 10 * 60 * 1_000;
/** Limits of payload characters in one question, and of each payload. */
const MAX_SHOWN = 9_000;
const MAX_SHOWN_PAYLOAD = 3_000;

/** Index of a call -> the decision, or the error that prevented it. */
type FoundDecisions = Map<number, Decision | SvcError>;

export async function decideAll(calls: readonly ToolCall[], tools: TurnTools, signal: AbortSignal): Promise<FoundDecisions> {
  const decisions: FoundDecisions = new Map();
  await Promise.all(
    calls.map(async (call, index) => {
      const found = await tools.decide(call, signal).catch((error: unknown) => {
        if (SvcError.is(error)) return error;
        throw error;
      });
      if (found) decisions.set(index, found);
    }),
  );
  return decisions;
}

/** @param question the first text of the question */
export function toApproval(questionId: string, decisions: FoundDecisions, question: string): Approval {
  const asked: ResolveResponse[] = [];
  const calls: Approval['calls'] = {};
  const versions: Approval['versions'] = {};
  const failed: Approval['failed'] = {};
  for (const [index, found] of [...decisions].sort(([a], [b]) => a - b)) {
    if (SvcError.is(found)) {
      failed[index] = found.toJSON();
      continue;
    }
    const { needed, callOptions } = found;
    if (!needed) continue;
    asked.push(needed);
    calls[index] = callOptions.maxPayment ?? '0';
    if (callOptions.actionVersion !== undefined) versions[index] = callOptions.actionVersion;
  }
  const most = Math.min(MAX_SHOWN_PAYLOAD, Math.floor(MAX_SHOWN / asked.length));
  return {
    question_id: questionId,
    text: [question, ...asked.map((needed) => describeCall(needed, most))].join('\n'),
    calls,
    versions,
    ...(Object.keys(failed).length > 0 && { failed }),
    until: Date.now() + ANSWER_WITHIN_MS,
  };
}

/** The deadline of the answer, capped so that a clock that was set back does not extend the wait. */
export function answerDue({ until }: Approval): number {
  return Math.min(until, Date.now() + ANSWER_WITHIN_MS);
}

export function mayAnswer(turn: AgentTurn, userId: string, owners: ReadonlySet<string>): boolean {
  return turn.ctx.userId === userId || owners.has(`${turn.clientId}/${userId}`);
}

export function notApproved(call: ToolCall | undefined): Message {
  return errorResult(call, {
    code: 'NOT_APPROVED',
    message: 'The person did not approve this call, so it did not run. Make it again only if they ask for it',
  });
}
