import { expect, test } from 'vitest';
import { planCall } from '../../../bench/chaos/call-plan.ts';
import { FAULT_KINDS, FAULTS } from '../../../bench/chaos/faults.ts';
import { type FaultPlanOptions, planFaults } from '../../../bench/chaos/plan-faults.ts';

const cluster: FaultPlanOptions = {
  seed: 'a',
  seconds: 300,
  kinds: FAULT_KINDS,
  nodes: 3,
  toolkits: 3,
  replicas: 3,
  hasNats: true,
  hasPostgres: true,
};

const windows = (options: FaultPlanOptions, hits: string) =>
  planFaults(options).flatMap(({ kind, target, atMs, durationMs }) =>
    FAULTS[kind].hits === hits ? [{ target, from: atMs, to: atMs + durationMs }] : [],
  );

test('a schedule has a fault in every second and every kind of fault, and is the same for the same seed', () => {
  const faults = planFaults(cluster);
  expect(faults.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 300 }, (_, index) => (index + 1) * 1_000));
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS));
  expect(planFaults(cluster)).toEqual(faults);
  expect(planFaults({ ...cluster, seed: 'b' })).not.toEqual(faults);
});

test('one node is left in order at any time', () => {
  const nodes = windows(cluster, 'node');
  for (const { from } of nodes) expect(nodes.filter((other) => other.from <= from && other.to > from).length).toBeLessThan(3);
});

test.each([
  ['PostgreSQL and NATS', cluster, ['postgres', 'nats']],
  ['a single node', { ...cluster, nodes: 1, hasNats: false, hasPostgres: false }, ['node']],
])('%s: what all depend on is out of order for 2 s at most, and then in order for 3 s', (_, options, parts) => {
  const outages = parts.flatMap((part) => windows(options, part)).toSorted((a, b) => a.from - b.from);
  expect(outages.length).toBeGreaterThan(10);
  for (const [index, { from, to }] of outages.entries()) {
    expect(to - from).toBeLessThanOrEqual(2_000);
    expect(from - (outages[index - 1]?.to ?? -3_000)).toBeGreaterThanOrEqual(3_000);
  }
});

test('an absent part has no faults', () => {
  const faults = planFaults({ ...cluster, nodes: 1, hasNats: false, hasPostgres: false });
  expect(faults.filter(({ kind }) => FAULTS[kind].needs)).toEqual([]);
  expect(planFaults({ ...cluster, kinds: [] })).toEqual([]);
});

test('a call is the same for the same seed and number', () => {
  const options = { seed: 'a', toolkits: ['shop-1', 'shop-2'], agents: 4, nodes: 3, rawShare: 0.5 };
  expect(planCall(7, options)).toEqual(planCall(7, options));
  expect(planCall(7, options).key).not.toBe(planCall(8, options).key);
});
