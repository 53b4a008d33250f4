/** Asks the author of the message to connect an account, and waits. */
import { RefusedReply } from '../chat/base-client';
import type { Connecting } from '../store/agent-turn';
import { connectDue } from './connections';
import { sendPatiently } from './send-patiently';
import type { TurnScope } from './turn-scope';

/** Ends the wait after its deadline; otherwise sends the link, unless it was sent before, and the result of the last code. */
export async function awaitAccount(scope: TurnScope, connecting: Connecting): Promise<void> {
  const { turn, link } = scope;
  if (connectDue(connecting) <= Date.now()) return end(scope, connecting, 'expired');
  const { asked, note, ...rest } = connecting;
  if (asked && !note) return;
  // A restart lost the link. The same calls give another one.
  if (!asked && link === undefined) return scope.save({ state: 'running' });
  const texts = [note && scope.prompt(note), !asked && `${scope.prompt('reply.connect')}\n${connecting.toolkit}: ${link}`];
  // The reply, not this message, replaces the beginning of an answer.
  const { partial: _, ...ctx } = turn.ctx;
  const message = { role: 'assistant' as const, content: texts.filter(Boolean).join('\n') };
  try {
    await sendPatiently(scope, () => scope.client.sendMessage(ctx, [message]));
  } catch (error) {
    if (!RefusedReply.is(error)) throw error;
    scope.reportReply(error);
    return end(scope, connecting, 'declined');
  }
  turn.connecting = { ...rest, asked: true };
  await scope.save({ state: 'asking' });
}

function end(scope: TurnScope, { toolkit, until }: Connecting, ended: Connecting['ended'] & string): Promise<void> {
  scope.turn.connecting = { toolkit, until, ended };
  return scope.save({ state: 'running' });
}
