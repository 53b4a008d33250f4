/** Does the faults of a schedule, each at its time, and notes what was done. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type DoneFault, FAULTS, type Fault } from './faults.ts';
import type { Link } from './links.ts';
import type { Restartable } from './restartable.ts';
import type { World } from './world.ts';

/** Resolves when every fault is over. */
export async function injectFaults(world: World, faults: readonly Fault[], onDone: (fault: DoneFault) => void): Promise<void> {
  const begunAt = Date.now();
  const underWay: Promise<void>[] = [];
  for (const fault of faults) {
    await sleep(Math.max(0, begunAt + fault.atMs - Date.now()));
    underWay.push(inject(world, fault).then(onDone));
  }
  await Promise.all(underWay);
}

/** Resolves when the fault is over. */
export async function inject(world: World, fault: Fault): Promise<DoneFault> {
  const part = partOf(world, fault);
  const from = Date.now();
  const done = (skipped: boolean): DoneFault => ({ kind: fault.kind, target: part?.name ?? 'all', from, to: Date.now(), skipped });
  const occupies = FAULTS[fault.kind].hits !== 'nothing';
  if (part && occupies && part.busy) return done(true);
  if (part && occupies) part.busy = true;
  await apply(world, fault, part);
  if (part && occupies) part.busy = false;
  return done(false);
}

function partOf({ nodes, replicas, nats, postgres }: World, { kind, target }: Fault): Restartable | undefined {
  if (kind.startsWith('node-')) return nodes[target]?.process;
  if (kind.startsWith('replica-')) return replicas[target]?.process;
  if (kind.startsWith('nats-')) return nats;
  return kind.startsWith('postgres-') ? postgres : undefined;
}

async function apply(world: World, { kind, target, durationMs }: Fault, part: Restartable | undefined): Promise<void> {
  const { nodes, replicas, front } = world;
  const all = (links: (Link | undefined)[]) => links.flatMap((link) => link ?? []);
  const toPostgres = all(nodes.map((node) => node.toPostgres));
  switch (kind) {
    case 'node-kill':
    case 'replica-kill':
    case 'nats-kill':
    case 'postgres-kill':
      await part?.kill();
      await sleep(durationMs);
      return part?.start();
    case 'node-drain':
    case 'replica-stop':
      await part?.stop();
      await sleep(durationMs);
      return part?.start();
    case 'node-pause':
    case 'replica-pause':
      part?.signal('SIGSTOP');
      await sleep(durationMs);
      return part?.signal('SIGCONT');
    case 'node-nats-partition':
      return disturb(all([nodes[target]?.toNats]), durationMs);
    case 'node-postgres-partition':
      return disturb(all([nodes[target]?.toPostgres]), durationMs);
    case 'postgres-stall':
      return hold(toPostgres, durationMs);
    case 'replica-slow':
      part?.signal('SIGUSR2');
      return sleep(durationMs);
    case 'replica-cut':
      return replicas[target]?.link.cut();
    case 'callers-cut':
      return cut([front, ...nodes.map(({ door }) => door)]);
    case 'nats-cut':
      return cut(all(nodes.map((node) => node.toNats)));
    case 'postgres-cut':
      return cut(toPostgres);
  }
}

function cut(links: readonly Link[]): void {
  for (const link of links) link.cut();
}

/** Silence or refusal, by turns of the duration, which the seed chose. */
async function disturb(links: readonly Link[], durationMs: number): Promise<void> {
  if (durationMs % 2 === 0) return hold(links, durationMs);
  for (const link of links) link.refuse();
  await sleep(durationMs);
  for (const link of links) link.pass();
}

async function hold(links: readonly Link[], durationMs: number): Promise<void> {
  for (const link of links) link.hold();
  await sleep(durationMs);
  for (const link of links) link.pass();
}
