/** Asks the person who wrote whether the calls of a step may run. */
import { RefusedReply } from '../chat/base-client';
import { raced } from '../lib/races';
import { type Approval, LostTurn } from '../store/agent-turn';
import { patiently } from '../store/store-error';
import { answerDue } from './approvals';
import { sendPatiently } from './send-patiently';
import type { TurnScope } from './turn-scope';

/** Decides if time is up; else the question is sent, unless it was before. */
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

/** The person may answer before the question is known to be sent: the answer stays, and the buttons are taken away with the next step. */
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

/** Takes the buttons away, once the question is answered. */
export async function endQuestion(scope: TurnScope): Promise<void> {
  const { client, turn } = scope;
  const { approval } = turn;
  if (!approval || approval.approved === undefined || approval.shown === undefined) return;
  const { shown, ...rest } = approval;
  // Written with the next step. After a crash the buttons are taken away again.
  turn.approval = rest;
  const outcome = scope.prompt(approval.approved ? 'reply.ask.approved' : 'reply.ask.denied');
  try {
    await raced(client.endQuestion?.(turn.ctx, shown, `${approval.text}\n${outcome}`) ?? Promise.resolve(), scope.signal);
  } catch (error) {
    scope.signal.throwIfAborted();
    scope.reportReply(error);
  }
}
