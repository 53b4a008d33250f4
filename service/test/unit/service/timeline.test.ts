import { expect, test, vi } from 'vitest';
import { Timeline } from '../../../src/calls/timeline';

const steps = (timeline: Timeline) => timeline.entries.map(({ what, detail }) => [what, detail]);

test('the JSON text has the entries in order, for any details', () => {
  const timeline = new Timeline('node_a');
  const odd = 'user "1"\\\n\u2028 é';
  timeline.add('user', odd);
  timeline.claimed('inv_1', 'node_a');
  timeline.add('waiting');
  timeline.add('ended', 'OK');
  expect(steps(timeline)).toEqual([
    ['received', 'node_a'],
    ['user', odd],
    ['claimed', 'node_a'],
    ['waiting', undefined],
    ['ended', 'OK'],
  ]);
  expect([timeline.length, timeline.recordId]).toEqual([5, 'inv_1']);
  expect(JSON.parse(timeline.json)).toEqual(timeline.entries);
});

test('an entry has its time in milliseconds to the tenth', () => {
  let now = 1_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    const timeline = new Timeline('node_a');
    for (const ms of [0.04, 0.06, 1, 12.34, 90_000.96]) {
      now = 1_000 + ms;
      timeline.add('waiting');
    }
    expect(timeline.entries.map(({ ms }) => ms)).toEqual([0, 0, 0.1, 1, 12.3, 90_001]);
    expect(timeline.ageMs).toBe(90_001);
  } finally {
    clock.mockRestore();
  }
});

test('after fifty reports of progress, a report replaces the last one', () => {
  const timeline = new Timeline('node_a');
  timeline.add('waiting');
  for (let progress = 1; progress <= 60; progress++) timeline.progressed({ progress, total: 60 });
  const reports = steps(timeline).filter(([what]) => what === 'progress');
  expect(reports).toHaveLength(50);
  expect(reports.slice(-2)).toEqual([
    ['progress', '49 of 60'],
    ['progress', '60 of 60'],
  ]);
});

test('two hundred entries are kept, and the end', () => {
  const timeline = new Timeline('node_a');
  for (let count = 0; count < 300; count++) timeline.add('forwarded', 'node_b');
  timeline.add('ended', 'TIMEOUT');
  expect(timeline.length).toBe(201);
  expect(steps(timeline).at(-1)).toEqual(['ended', 'TIMEOUT']);
});

test('entries of another node count from the send of the call, and name their node', () => {
  const timeline = new Timeline('node_a');
  timeline.forwarded('node_b');
  timeline.join('inv_2', [
    { ms: 0, what: 'received', detail: 'node_b' },
    { ms: 0.5, what: 'claimed', detail: 'node_b' },
  ]);
  timeline.add('ended', 'OK');
  expect(steps(timeline)).toEqual([
    ['received', 'node_a'],
    ['forwarded', 'node_b'],
    ['received', 'node_b'],
    ['claimed', 'node_b'],
    ['ended', 'OK'],
  ]);
  expect(timeline.recordId).toBe('inv_2');
  const [, forwarded, received, claimed] = timeline.entries.map(({ ms }) => ms);
  expect([received, claimed]).toEqual([forwarded, Math.round(((forwarded ?? 0) + 0.5) * 10) / 10]);
});

test('an entry of the receiving node follows the entry of the dispatch', () => {
  let now = 1_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.06));
  try {
    const timeline = new Timeline('node_a');
    timeline.forwarded('node_b');
    timeline.join('inv_2', [{ ms: 0, what: 'received', detail: 'node_b' }]);
    expect(steps(timeline)).toEqual([
      ['received', 'node_a'],
      ['forwarded', 'node_b'],
      ['received', 'node_b'],
    ]);
  } finally {
    clock.mockRestore();
  }
});
