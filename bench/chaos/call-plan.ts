import { pickWeighted, randomOf } from '../common/random.ts';
import { ACTION_NAMES, ACTIONS } from './actions.ts';
import type { CallPlan } from './call-record.ts';

export interface CallPlanOptions {
  seed: string;
  toolkits: readonly string[];
  /** Agents whose calls run at once. A rule asks about all calls of the next one. */
  agents: number;
  nodes: number;
  /** Share of callers that retry by hand. */
  rawShare: number;
}

const SDK_DEADLINES_MS = [5_000, 10_000, 20_000];
const RAW_DEADLINES_MS = [1_500, 4_000, 8_000];
/** Share of calls of the slow action whose caller waits for less than they take. */
const IMPATIENT_SHARE = 0.2;
const IMPATIENT_DEADLINE_MS = 1_000;
const ASKS_AGAIN_SHARE = 0.1;
const ASKED_SHARE = 0.04;
/** Deadline of the run of a call that goes on without its caller. */
const DETACHED_DEADLINE_MS = 60_000;

export function planCall(number: number, { seed, toolkits, agents, nodes, rawShare }: CallPlanOptions): CallPlan {
  const random = randomOf(`${seed} call ${number}`);
  const oneOf = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const caller = random() < rawShare ? 'raw' : 'sdk';
  const action = pickWeighted(ACTION_NAMES, (name) => ACTIONS[name].share, random) ?? 'charge';
  const { minWorkMs, maxWorkMs } = ACTIONS[action];
  const isAsked = random() < ASKED_SHARE;
  const isDetached = ACTIONS[action].long === true;
  const isImpatient = action === 'slow' && random() < IMPATIENT_SHARE;
  const patience = action === 'slow' || caller === 'sdk' ? SDK_DEADLINES_MS : RAW_DEADLINES_MS;
  return {
    number,
    caller,
    isDetached,
    isAsked,
    agent: isAsked ? agents : Math.floor(random() * agents),
    toolkit: oneOf(toolkits),
    action,
    key: `chaos-${seed}-${number}`,
    workMs: Math.round(minWorkMs + random() * (maxWorkMs - minWorkMs)),
    deadlineMs: isDetached ? DETACHED_DEADLINE_MS : isImpatient ? IMPATIENT_DEADLINE_MS : oneOf(patience),
    asksAgain: random() < ASKS_AGAIN_SHARE,
    firstNode: Math.floor(random() * nodes),
  };
}
