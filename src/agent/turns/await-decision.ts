/**
 * Waits for people elsewhere, who decide about a call by a rule of the service: in the console, by the command, or in a chat of approvers. The chat
 * reads so once. The wait survives a restart; when it ends, the same calls are made again.
 */
import { RefusedReply } from '../chat/base-client';
import { raced } from '../lib/races';
import type { AgentTurn, Deciding } from '../store/agent-turn';
import { sendPatiently } from './send-patiently';
import type { TurnScope } from './turn-scope';
import type { CallToDecide } from './turn-tools';

/** Limits of the time between two looks, in milliseconds. It is a tenth of the wait so far. */
const FIRST_LOOK_MS = 250;
const LONGEST_LOOK_MS = 30_000;

/** The wait of a turn for people elsewhere; undefined if it does not wait for them. */
export function decidingOf({ state, deciding }: AgentTurn): Deciding | undefined {
  return state === 'asking' && deciding && !deciding.ended ? deciding : undefined;
}

export function toDeciding({ approval }: CallToDecide, place: { questionId: string; index: number }, earlier?: Deciding): Deciding {
  const { questionId: question_id, index } = place;
  const isSameStep = earlier?.question_id === question_id;
  return {
    question_id,
    index,
    handle: approval.id,
    since: Date.now(),
    until: Date.parse(approval.expiresAt),
    ...(isSameStep && earlier.shown && { shown: true }),
    ...(isSameStep && earlier.refused && { refused: earlier.refused }),
  };
}

/** Milliseconds until the next look. */
export function nextLookMs({ since }: Deciding): number {
  return Math.min(LONGEST_LOOK_MS, Math.max(FIRST_LOOK_MS, (Date.now() - since) / 10));
}

export async function awaitDecision(scope: TurnScope, deciding: Deciding): Promise<void> {
  const { turn, tools, signal } = scope;
  if (!deciding.shown) await show(scope, deciding);
  const decision = await raced(tools.decisionOn(deciding.handle), signal);
  if (decision === 'open' && Date.now() < deciding.until) return;
  const refusal = typeof decision === 'string' ? undefined : decision.toJSON();
  turn.deciding = {
    ...deciding,
    shown: true,
    ended: true,
    ...(refusal && { refused: { ...deciding.refused, [deciding.index]: refusal } }),
  };
  await scope.save({ state: 'running' });
}

async function show(scope: TurnScope, deciding: Deciding): Promise<void> {
  const { turn, client } = scope;
  // The reply, not this message, replaces the beginning of an answer.
  const { partial: _, ...ctx } = turn.ctx;
  try {
    await sendPatiently(scope, () => client.sendMessage(ctx, [{ role: 'assistant', content: scope.prompt('reply.decide') }]));
  } catch (error) {
    if (!RefusedReply.is(error)) throw error;
    scope.reportReply(error);
  }
  turn.deciding = { ...deciding, shown: true };
  await scope.save({ state: 'asking' });
}
