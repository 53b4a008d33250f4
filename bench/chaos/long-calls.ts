/** `--long`: so many calls that go on without their callers, and questions that wait for a person, while every part of the service is killed once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../common/random.ts';
import type { Approver } from './approver.ts';
import { type CallPlanOptions, planCall } from './call-plan.ts';
import type { CallPlan } from './call-record.ts';
import type { DoneFault, Fault, FaultKind } from './faults.ts';
import { inject } from './inject.ts';
import { readLedgers } from './ledger.ts';
import type { World } from './world.ts';

export interface LongOptions {
  /** The work of a call that goes on without its caller takes from a quarter of it to one and a quarter, so that some end while parts are down. */
  seconds: number;
  calls: number;
  approvals: number;
}

const DOWN_MS = 1_000;
/** Time between two kills, for the service to go on. */
const PAUSE_MS = 2_000;
/** Much longer than the work: no call ends by its deadline. */
const DEADLINE_MS = 590_000;
const BEGUN_WITHIN_MS = 180_000;

/** The questions come first. A third of them are about calls that go on without their callers. */
export function planLongCall(number: number, plan: CallPlanOptions, { seconds, approvals }: LongOptions): CallPlan {
  const random = randomOf(`${plan.seed} long ${number}`);
  const call = planCall(number, plan);
  const isAsked = number <= approvals;
  const isDetached = !isAsked || random() < 1 / 3;
  return {
    ...call,
    action: isDetached ? 'long' : 'charge',
    isAsked,
    isDetached,
    agent: isAsked ? plan.agents : Math.floor(random() * plan.agents),
    workMs: isAsked ? call.workMs % 1_000 : Math.round(seconds * 1_000 * (0.25 + random())),
    deadlineMs: DEADLINE_MS,
  };
}

/** Resolves when all questions wait and all other calls run. */
export async function allBegun({ ledgers }: World, approver: Approver, { calls, approvals }: LongOptions): Promise<void> {
  const until = Date.now() + BEGUN_WITHIN_MS;
  for (;;) {
    const waiting = (await approver.waiting()).length;
    const running = readLedgers(ledgers).size;
    if (waiting === approvals && running === calls) return;
    if (Date.now() > until) throw new Error(`Only ${waiting} of ${approvals} questions wait, and ${running} of ${calls} calls run`);
    await sleep(PAUSE_MS / 4);
  }
}

/** Kills each node, NATS and PostgreSQL once, one after the other. */
export async function killEach(world: World, onDone: (fault: DoneFault) => void): Promise<void> {
  for (const fault of planKills(world)) {
    onDone(await inject(world, fault));
    await sleep(PAUSE_MS);
  }
}

function planKills({ nodes, nats, postgres }: World): Fault[] {
  const kill = (kind: FaultKind, target = 0): Fault => ({ atMs: 0, kind, target, durationMs: DOWN_MS });
  return [
    ...nodes.map((_, index) => kill('node-kill', index)),
    ...(nats ? [kill('nats-kill')] : []),
    ...(postgres ? [kill('postgres-kill')] : []),
  ];
}
