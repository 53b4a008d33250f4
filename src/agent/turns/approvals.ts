/** Approval of calls: which need it, the question, and who may answer. */
import { type ResolveResponse, SvcError } from 'svc-sdk';
import type { Message, ToolCall } from '../chat/message';
import type { AgentTurn, Approval } from '../store/agent-turn';
import { errorResult } from './error-result';
import type { TurnTools } from './turn-tools';

/** After this much silence the answer is no, in milliseconds. */
const ANSWER_WITHIN_MS = 10 * 60 * 1_000;
/** Characters of a payload. A longer one ends with its length, so that nobody takes the beginning for the whole. */
const MAX_SHOWN_PAYLOAD = 3_000;

/** Each map has the index of the call as its key. */
export interface FoundApprovals {
  needed: Map<number, ResolveResponse>;
  /** Why nobody knows whether the call needs approval. */
  unknown: Map<number, SvcError>;
}

export async function findNeeded(calls: readonly ToolCall[], tools: TurnTools, signal: AbortSignal): Promise<FoundApprovals> {
  const needed: FoundApprovals['needed'] = new Map();
  const unknown: FoundApprovals['unknown'] = new Map();
  await Promise.all(
    calls.map(async (call, index) => {
      try {
        const found = await tools.approvalFor(call, signal);
        if (found) needed.set(index, found);
      } catch (error) {
        if (!SvcError.is(error)) throw error;
        unknown.set(index, error);
      }
    }),
  );
  return { needed, unknown };
}

/** @param question what the person reads first */
export function toApproval(questionId: string, { needed, unknown }: FoundApprovals, question: string): Approval {
  const asked = [...needed].sort(([a], [b]) => a - b);
  return {
    question_id: questionId,
    text: [question, ...asked.map(([, found]) => describeCall(found))].join('\n'),
    calls: Object.fromEntries(asked.map(([index, { action }]) => [index, action.payment?.amount ?? '0'])),
    ...(unknown.size > 0 && { failed: Object.fromEntries([...unknown].map(([index, error]) => [index, error.toJSON()])) }),
    until: Date.now() + ANSWER_WITHIN_MS,
  };
}

function describeCall({ action, payload }: ResolveResponse): string {
  const text = JSON.stringify(payload);
  const shown = text.length > MAX_SHOWN_PAYLOAD ? `${text.slice(0, MAX_SHOWN_PAYLOAD).toWellFormed()}… (${text.length} characters)` : text;
  const price = action.payment ? `, for ${action.payment.amount} ${action.payment.currency}` : '';
  return `${action.action} ${shown}${price}`;
}

/** When silence becomes a no. A clock that was set back must not make the wait longer. */
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
