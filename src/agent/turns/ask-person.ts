/** Asks the author of the message to approve the calls of a step. */
import { RefusedReply } from '../chat/base-client';
import { raced } from '../lib/races';
import { type Approval, LostTurn } from '../store/agent-turn';
import { patiently } from '../store/store-error';
import { answerDue } from './approvals';
import { sendPatiently } from './send-patiently';
import type { TurnScope } from './turn-scope';

/** Refuses the calls after the deadline; otherwise sends the question, unless it was sent before. */
export async function askPerson(scope: TurnScope): Promise<void> {
  const { turn } = scope;
  const { approval } = turn;
  if (!approval) throw new Error(`The turn ${turn.id} asks, and has no question`);
  if (answerDue(approval) <= Date.now()) return settle(scope, approval);
  if (approval.asked) return;
  try {
    const shown = await sendPatiently(scope, () => send(scope, approval));
    await saveAsked(scope, { ...approval, asked: true, ...(shown !== undefined && { shown }) });
  } catch (error) {
    if (!RefusedReply.is(error)) throw error;
    scope.reportReply(error);
    await settle(scope, approval);
  }
}

/** Marks the question as sent. An answer may have arrived before; it is kept, and the next step removes the buttons. */
async function saveAsked(scope: TurnScope, approval: Approval): Promise<void> {
  const { turn, setup } = scope;
  turn.approval = approval;
  try {
    await scope.save({ state: 'asking' });
  } catch (error) {
    if (error instanceof LostTurn) await patiently(() => setup.store.turns.saveShown(turn.id, approval));
    throw error;
  }
}

function settle(scope: TurnScope, approval: Approval): Promise<void> {
  scope.turn.approval = { ...approval, approved: false };
  return scope.save({ state: 'running' });
}

async function send(scope: TurnScope, { question_id: id, text }: Approval): Promise<unknown> {
  const { client, turn } = scope;
  if (client.askApproval) return client.askApproval(turn.ctx, { id, text });
  await client.sendMessage(turn.ctx, [{ role: 'assistant', content: `${text}\n${scope.prompt('reply.ask.how')}` }]);
  return undefined;
}

/** Removes the buttons of an answered question. */
export async function endQuestion(scope: TurnScope): Promise<void> {
  const { client, turn } = scope;
  const { approval } = turn;
  if (!approval || approval.approved === undefined || approval.shown === undefined) return;
  const { shown, ...rest } = approval;
  // Stored with the next step. After a crash the buttons are removed again.
  turn.approval = rest;
  const outcome = scope.prompt(approval.approved ? 'reply.ask.approved' : 'reply.ask.denied');
  try {
    await raced(client.endQuestion?.(turn.ctx, shown, `${approval.text}\n${outcome}`) ?? Promise.resolve(), scope.signal);
  } catch (error) {
    scope.signal.throwIfAborted();
    scope.reportReply(error);
  }
}
