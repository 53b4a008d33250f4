/**
 * Continues a turn after its last stored message, which alone decides the next step. A crash needs no recovery: the same function runs
 * again.
 */
import { RefusedReply } from '../chat/base-client';
import type { TurnCode } from '../events';
import { LostTurn } from '../store/agent-turn';
import { StoreError } from '../store/store-error';
import { askPerson, endQuestion } from './ask-person';
import { awaitAccount } from './await-account';
import { awaitDecision, decidingOf } from './await-decision';
import { runCalls } from './call-step';
import { closingMessages } from './closing';
import { waitingFor } from './connections';
import { AgentEnds, EarlyEnd, MAX_AGE_MS } from './early-end';
import { callsOf } from './model-message';
import { ModelStep } from './model-step';
import { sendPatiently } from './send-patiently';
import { type TurnScope, toError } from './turn-scope';
import { toUserMessage } from './user-message';

const MAX_ATTEMPTS = 3;
const TYPING_EVERY_MS = 4_000;

/**
 * Runs a turn until `replying`, or until `asking` while a person must answer.
 *
 * @throws AgentEnds; LostTurn; StoreError
 */
export async function think(scope: TurnScope): Promise<void> {
  const { setup, turn } = scope;
  if (turn.state === 'replying') return;
  const { turnTimeoutMs } = setup.limits;
  const tooLong = new EarlyEnd('time-out', `The turn took longer than ${turnTimeoutMs} ms`);
  const timeout = setTimeout(() => scope.endEarly(tooLong), turnTimeoutMs);
  const endTyping = showTyping(scope);
  try {
    await runSteps(scope);
  } catch (error) {
    if (error instanceof AgentEnds || error instanceof LostTurn || error instanceof StoreError) throw error;
    clearTimeout(timeout);
    scope.beginReply();
    const { code, message } = error instanceof EarlyEnd ? error : new EarlyEnd('model-failed', toError(error).message);
    const messages = closingMessages(turn.ctx, scope.messages, scope.prompt('reply.error'));
    await scope.save({ state: 'replying', messages, error: `${code}: ${message}` });
  } finally {
    clearTimeout(timeout);
    endTyping();
  }
}

async function runSteps(scope: TurnScope): Promise<void> {
  const { turn, messages, signal } = scope;
  if (turn.attempts > MAX_ATTEMPTS) throw new EarlyEnd('given-up', `${MAX_ATTEMPTS} starts brought no progress`);
  if (!turn.deciding && Date.now() - turn.at > MAX_AGE_MS) throw new EarlyEnd('given-up', 'The message is older than 12 hours');
  if (turn.state === 'queued') {
    const message = toUserMessage(turn.ctx);
    // The message holds the images now.
    delete turn.ctx.images;
    await scope.save({ state: 'running', messages: [message] });
  }
  const model = new ModelStep(scope);
  while (turn.state === 'running' || turn.state === 'asking') {
    signal.throwIfAborted();
    if (turn.state === 'asking') {
      await awaitPerson(scope);
      if (isAsking(scope)) return;
    }
    await endQuestion(scope);
    if (callsOf(messages.at(-1)).length > 0) await runCalls(scope);
    else await model.run();
  }
}

function awaitPerson(scope: TurnScope): Promise<void> {
  const [connecting, deciding] = [waitingFor(scope.turn), decidingOf(scope.turn)];
  if (deciding) return awaitDecision(scope, deciding);
  return connecting ? awaitAccount(scope, connecting) : askPerson(scope);
}

/** A function, because TypeScript would narrow the state across calls that change it. */
function isAsking({ turn }: TurnScope): boolean {
  return turn.state === 'asking';
}

/**
 * Sends the reply. After a crash before `done` is stored, the reply is sent again.
 *
 * @throws AgentEnds; LostTurn; StoreError
 */
export async function reply(scope: TurnScope): Promise<void> {
  const { setup, client, turn, tokens, place } = scope;
  let error = turn.error;
  try {
    await sendPatiently(scope, () => client.sendMessage(turn.ctx, scope.messages.slice(1)));
  } catch (refusal) {
    if (!RefusedReply.is(refusal)) throw refusal;
    scope.reportReply(refusal);
    error = `not-sent: ${refusal.message}`;
  }
  await scope.save({ state: 'done', ...(error !== undefined && { error }) });
  setup.emit({ type: 'turn-end', ...place, code: codeOf(error), milliseconds: Date.now() - turn.at, tokens });
}

/** The column `error` of a turn is `<code>: <words>`. */
function codeOf(error: string | undefined): TurnCode {
  return error === undefined ? 'answered' : (error.split(':', 1)[0] as TurnCode);
}

function showTyping({ client, turn }: TurnScope): () => void {
  if (!client.setTyping) return () => {};
  // A failed typing indicator is ignored; sending the reply reports the fault.
  const show = () => void client.setTyping?.(turn.ctx).catch(() => {});
  show();
  const timer = setInterval(show, TYPING_EVERY_MS);
  return () => clearInterval(timer);
}
