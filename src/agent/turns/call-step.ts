/**
 * Runs the calls of the model's newest message and writes their results. The n-th call of the turn's s-th message has the idempotency key
 * `<turn id>/<s>/<n>`, both counted from 0: after a crash the service returns the result of the first run.
 */
import { type ResolveResponse, SvcError } from 'svc-sdk';
import type { ApprovedCall } from 'svc-sdk/agent-tool';
import type { Message, ToolCall } from '../chat/message';
import { raced } from '../lib/races';
import type { ApproveCall } from '../options';
import type { AgentTurn } from '../store/agent-turn';
import { decideAll, notApproved, toApproval } from './approvals';
import { toDeciding } from './await-decision';
import { type CallToConnect, isAskable, notConnected, toConnecting } from './connections';
import { EarlyEnd } from './early-end';
import { errorResult } from './error-result';
import { callsOf, isUnreachable, stepsIn } from './model-message';
import { type TurnScope, toError } from './turn-scope';
import type { CallToDecide } from './turn-tools';

const UNREACHABLE_IN_A_ROW = 3;

/** The decision about a call: the options of its run, or a result without a run. */
type Verdict = ApprovedCall | { result: Message };

/** The result of a call, or the person that it waits for. */
type Answer = Message | CallToConnect | CallToDecide;

export async function runCalls(scope: TurnScope): Promise<void> {
  const { messages, turn, signal, setup } = scope;
  const { maxCallsPerStep } = setup.limits;
  const all = callsOf(messages.at(-1));
  const calls = all.slice(0, maxCallsPerStep);
  const step = stepsIn(messages) - 1;
  const questionId = `${turn.id}/${step}`;
  const verdicts = turn.approval?.question_id === questionId ? answered(scope, calls) : await decide(scope, calls, questionId);
  if (!verdicts) return scope.save({ state: 'asking' });
  const answers = await Promise.all(
    calls.map(async (call, index): Promise<Answer> => {
      const verdict = verdicts.get(index);
      if (verdict && 'result' in verdict) return verdict.result;
      const refusal = turn.deciding?.question_id === questionId ? turn.deciding.refused?.[index] : undefined;
      if (refusal) return errorResult(call, refusal);
      const options = { ...verdict, signal, idempotencyKey: `${questionId}/${index}` };
      return setup.toolSlots.run(scope.laneKey, signal, () => raced(scope.tools.answer(call, options), signal));
    }),
  );
  const toConnect = answers.find((answer): answer is CallToConnect => isToConnect(answer) && isAskable(answer, turn));
  if (toConnect) return beginConnecting(scope, toConnect);
  const index = answers.findIndex(isToDecide);
  const toDecide = answers[index];
  if (toDecide && isToDecide(toDecide)) {
    turn.deciding = toDeciding(toDecide, { questionId, index }, turn.deciding);
    return scope.save({ state: 'asking' });
  }
  const results = answers.map((answer) => resultOf(answer, turn));
  const others = all.slice(maxCallsPerStep).map((call) => errorResult(call, tooMany(maxCallsPerStep)));
  await scope.save({ state: 'running', messages: [...results, ...others] });
  if (isUnreachable(messages, UNREACHABLE_IN_A_ROW))
    throw new EarlyEnd('service-unreachable', `${UNREACHABLE_IN_A_ROW} calls in a row did not reach the service`);
}

function isToConnect(answer: Answer): answer is CallToConnect {
  return 'connect' in answer;
}

function resultOf(answer: Answer, turn: AgentTurn): Message {
  if (isToDecide(answer)) return errorResult(answer.call, answer.refusal.toJSON());
  return isToConnect(answer) ? notConnected(answer, turn) : answer;
}

function isToDecide(answer: Answer): answer is CallToDecide {
  return 'refusal' in answer;
}

/** Stores no result: when the account is connected, all calls run again, and those that had run give their results again. */
function beginConnecting(scope: TurnScope, { connect }: CallToConnect): Promise<void> {
  scope.turn.connecting = toConnecting(connect, scope.turn.connecting);
  scope.link = connect.url;
  return scope.save({ state: 'asking' });
}

function tooMany(most: number) {
  const message = `A message may have at most ${most} calls. This call is one more, so it did not run: make it in a later message`;
  return { code: 'TOO_MANY_CALLS', message };
}

/** @returns undefined if an approval is needed first; `turn.approval` then holds the question */
async function decide(scope: TurnScope, calls: readonly ToolCall[], questionId: string): Promise<Map<number, Verdict> | undefined> {
  const { turn, setup, tools, signal } = scope;
  const { approve } = setup.limits;
  const verdicts = new Map<number, Verdict>();
  if (approve === 'never') return verdicts;
  const decisions = await decideAll(calls, tools, signal);
  const isNeeded = [...decisions.values()].some((found) => !SvcError.is(found) && found.needed);
  if (isNeeded && approve === 'ask') {
    turn.approval = toApproval(questionId, decisions, scope.prompt('reply.ask'));
    return undefined;
  }
  for (const [index, found] of decisions) {
    if (SvcError.is(found)) verdicts.set(index, { result: errorResult(calls[index], found.toJSON()) });
    else if (found.needed && approve !== 'ask')
      verdicts.set(index, (await isApproved(scope, approve, found.needed)) ? found.callOptions : { result: notApproved(calls[index]) });
  }
  return verdicts;
}

function answered({ turn }: TurnScope, calls: readonly ToolCall[]): Map<number, Verdict> {
  const { calls: prices = {}, versions = {}, failed = {}, approved = false } = turn.approval ?? {};
  const verdictOf = (call: ToolCall, index: number): Verdict => {
    const [maxPayment, error] = [prices[index], failed[index]];
    if (error) return { result: errorResult(call, error) };
    if (maxPayment !== undefined && !approved) return { result: notApproved(call) };
    return maxPayment === undefined ? {} : { approved: true, maxPayment, actionVersion: versions[index] };
  };
  return new Map(calls.map((call, index) => [index, verdictOf(call, index)]));
}

/** Calls the program's function. Its error refuses the call. */
async function isApproved(
  { turn, setup, signal }: TurnScope,
  approve: ApproveCall,
  { action, payload }: ResolveResponse,
): Promise<boolean> {
  try {
    const request = { action: action.action, payload, info: action };
    return (await raced(Promise.resolve(approve(turn.ctx, request)), signal)) === true;
  } catch (error) {
    signal.throwIfAborted();
    setup.emit({ type: 'handler-error', handler: 'approve', error: toError(error) });
    return false;
  }
}
