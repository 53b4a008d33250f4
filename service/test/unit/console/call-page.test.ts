import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type TimelineEntry } from '#sdk/protocol/admin';
import { outcomeWords } from '../../../console/src/pages/call/outcome-words';
import { readStored } from '../../../console/src/pages/call/read-stored';
import { timelineSteps } from '../../../console/src/pages/call/timeline-steps';
import { lossOf } from '../../../console/src/pages/settings/changed-settings';

const timeline: TimelineEntry[] = [
  { ms: 0, what: 'received' },
  { ms: 25, what: 'sent', detail: 'process 1' },
  { ms: 100, what: 'ended', detail: 'OK' },
];

test('each step of a timeline lasts until the next one', () => {
  const steps = timelineSteps({ timeline, code: 'OK' }, 100);
  expect(steps.map(({ from, length }) => [from, length])).toEqual([
    [0, 0.25],
    [0.25, 0.75],
    [1, 0],
  ]);
});

test('the last step of a call that runs lasts until now', () => {
  const steps = timelineSteps({ timeline: timeline.slice(0, 2) }, 250);
  expect(steps.map(({ from, length }) => [from, length])).toEqual([
    [0, 0.1],
    [0.1, 0.9],
  ]);
});

test('a recorded call with an idempotency key is one that ran, not a duplicate', () => {
  const claimed: TimelineEntry[] = [{ ms: 3, what: 'claimed' }];
  const recorded = (idempotencyKey?: string) =>
    timelineSteps({ timeline: claimed, code: 'OK', ...(idempotencyKey && { idempotencyKey }) }, 100);
  expect(recorded('order-7').map(({ text }) => text)).toEqual(['Recorded, runs once per key']);
  expect(recorded().map(({ text }) => text)).toEqual(['Recorded']);
});

test('only errors are marked', () => {
  expect(timelineSteps({ timeline, code: 'OK' }, 100).some(({ isFault }) => isFault)).toBe(false);
  expect(timelineSteps({ timeline, code: 'ACTION_FAILED' }, 100).at(-1)?.isFault).toBe(true);
});

test('every outcome has a text, also those without advice', () => {
  expect(outcomeWords(undefined).title).toBe('Running');
  expect(outcomeWords('TOOLKIT_OFFLINE')).toMatchObject({ title: 'No process serves this toolkit now', place: 'toolkit' });
  expect(outcomeWords('CONFLICT').advice).toBe("Retrying won't help: change the payload or fix the toolkit.");
});

test('a call that a rule asks about leads to the approvals, and is not a failure of the toolkit', () => {
  expect(outcomeWords('APPROVAL_REQUIRED')).toMatchObject({
    place: 'approvals',
    advice: expect.stringContaining('when a person approves it'),
  });
  expect(outcomeWords('APPROVAL_DENIED')).toMatchObject({ place: 'approvals', advice: expect.stringContaining('did not run') });
});

test('the data that a change of settings deletes are named before it is saved', () => {
  expect(lossOf(DEFAULT_SETTINGS, { retentionDays: 1 })).toBe('Saving deletes records of calls older than 1 day.');
  expect(lossOf(DEFAULT_SETTINGS, { content: 'off', retentionDays: 7 })).toBe(
    'Saving deletes all stored payloads and results, and records of calls older than 7 days.',
  );
  expect(lossOf(DEFAULT_SETTINGS, { content: 'errors', retentionDays: 60 })).toBeUndefined();
});

test('images and files of a stored result are told apart from an object that has a member with this name', () => {
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
  expect(readStored(JSON.stringify({ result: { width: 1 }, content: [image] }))).toEqual({ json: '{"width":1}', blocks: [image] });
  for (const alone of [{ content: [image] }, { result: null, content: [image] }])
    expect(readStored(JSON.stringify(alone))).toEqual({ blocks: [image] });
  for (const other of [{ content: 'text' }, { content: [] }, { content: [{ type: 'video' }] }, { content: [image], page: 1 }, [1], null, 7])
    expect(readStored(JSON.stringify(other))).toEqual({ json: JSON.stringify(other) });
});
