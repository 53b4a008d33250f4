/**
 * The schedule of faults: the same for the same seed.
 *
 * One node, and one replica of each toolkit, is available at any time. The parts that all depend on (PostgreSQL, NATS, a single node) are
 * unavailable for moments, one after the other, with pauses between them.
 */
import { pickWeighted, randomOf } from '../common/random.ts';
import { FAULTS, type Fault, type FaultFacts, type FaultKind } from './faults.ts';

export interface FaultPlanOptions {
  seed: string;
  seconds: number;
  kinds: readonly FaultKind[];
  nodes: number;
  toolkits: number;
  /** Replicas of each toolkit. */
  replicas: number;
  /** PostgreSQL and NATS are there. */
  hasNats: boolean;
  hasPostgres: boolean;
}

const EVERY_MS = 1_000;
/** Pause between two faults of a part that all depend on. */
const BREATH_MS = 3_000;
const LONGEST_OUTAGE_MS = 2_000;

interface Window {
  /** `node 1`, `replica 4`, `all`. */
  what: string;
  group: string;
  until: number;
}

export function planFaults(options: FaultPlanOptions): Fault[] {
  const random = randomOf(`${options.seed} faults`);
  const windows: Window[] = [];
  const faults: Fault[] = [];
  for (let atMs = EVERY_MS; atMs <= options.seconds * 1_000; atMs += EVERY_MS) {
    const open = windows.filter(({ until }) => until > atMs);
    const choices = options.kinds.flatMap((kind) => targetsOf(kind, options, open).map((target) => ({ kind, target })));
    const kind = pickWeighted([...new Set(choices.map((choice) => choice.kind))], (name) => FAULTS[name].weight, random);
    if (kind === undefined) continue;
    const targets = choices.filter((choice) => choice.kind === kind).map(({ target }) => target);
    const target = targets[Math.floor(random() * targets.length)] ?? 0;
    const facts = FAULTS[kind];
    const longest = groupOf(facts, target, options) === 'all' ? Math.min(facts.maxMs, LONGEST_OUTAGE_MS) : facts.maxMs;
    const durationMs = Math.round(facts.minMs + random() * Math.max(0, longest - facts.minMs));
    faults.push({ atMs, kind, target, durationMs });
    const group = groupOf(facts, target, options);
    const rest = facts.restMs + (group === 'all' ? BREATH_MS : 0);
    if (group !== undefined) windows.push({ what: `${facts.hits} ${target}`, group, until: atMs + durationMs + rest });
  }
  return faults;
}

/** Those whose members must not all be out of order. Undefined for what puts nothing out of order. */
function groupOf({ hits }: FaultFacts, target: number, { nodes, replicas }: FaultPlanOptions): string | undefined {
  if (hits === 'nothing') return undefined;
  if (hits === 'node') return nodes === 1 ? 'all' : 'nodes';
  if (hits === 'replica') return `toolkit ${Math.floor(target / replicas)}`;
  return 'all';
}

function targetsOf(kind: FaultKind, options: FaultPlanOptions, open: readonly Window[]): number[] {
  const facts = FAULTS[kind];
  const { nodes, toolkits, replicas, hasNats, hasPostgres } = options;
  if ((facts.needs === 'nats' && !hasNats) || (facts.needs === 'postgres' && !hasPostgres)) return [];
  const count = kind.startsWith('node-') ? nodes : kind.startsWith('replica-') ? toolkits * replicas : 1;
  return Array.from({ length: count }, (_, target) => target).filter((target) => {
    const group = groupOf(facts, target, options);
    if (group === undefined) return true;
    const outOfOrder = open.filter((window) => window.group === group);
    const mostAtOnce = group === 'all' ? 1 : Math.max(1, (group === 'nodes' ? nodes : replicas) - 1);
    return outOfOrder.length < mostAtOnce && outOfOrder.every(({ what }) => what !== `${facts.hits} ${target}`);
  });
}
