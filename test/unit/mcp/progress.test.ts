import type { ServerContext } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startProgress } from '../../../adapters/mcp/progress';

const SILENCE_MS = 20_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function startCall(progressToken?: string) {
  const sent: { progress: number; total?: number; message?: string }[] = [];
  const notify = async ({ params }: { params: { progress: number } }) => void sent.push(params);
  const mcpReq = { _meta: { progressToken }, notify } as unknown as ServerContext['mcpReq'];
  return { sent, progress: startProgress({ mcpReq } as ServerContext) };
}

test('a silent call gives a sign of life each 20 s, with values that grow by less than a person sees', () => {
  const { sent, progress } = startCall('token');
  vi.advanceTimersByTime(SILENCE_MS - 1);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1 + 3 * SILENCE_MS);
  expect(sent).toHaveLength(4);
  const values = sent.map((report) => report.progress);
  expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b));
  expect(values.map((value) => value.toFixed(6))).toEqual(Array(4).fill('0.000000'));
  progress.end();
  vi.advanceTimersByTime(10 * SILENCE_MS);
  expect(sent).toHaveLength(4);
});

test("the handler's values stay, and its last total and message are repeated", () => {
  const { sent, progress } = startCall('token');
  vi.advanceTimersByTime(SILENCE_MS);
  progress.listener?.({ progress: 1, total: 3, message: 'one' });
  vi.advanceTimersByTime(SILENCE_MS - 1);
  progress.listener?.({ progress: 2, total: 3, message: 'two' });
  vi.advanceTimersByTime(SILENCE_MS);
  progress.listener?.({ progress: 3, total: 3 });
  progress.end();
  expect(sent).toMatchObject([
    { progress: 0 },
    { progress: 1, total: 3, message: 'one' },
    { progress: 2, total: 3, message: 'two' },
    { progress: expect.closeTo(2, 6), total: 3, message: 'two' },
    { progress: 3, total: 3 },
  ]);
  expect(sent[3]?.progress).toBeGreaterThan(2);
});

test('a first report of 0 after a sign of life, and values beyond 2^40, still grow', () => {
  const { sent, progress } = startCall('token');
  vi.advanceTimersByTime(2 * SILENCE_MS);
  progress.listener?.({ progress: 0, total: 2 ** 50 });
  vi.advanceTimersByTime(SILENCE_MS);
  progress.listener?.({ progress: 2 ** 49, total: 2 ** 50 });
  vi.advanceTimersByTime(2 * SILENCE_MS);
  progress.end();
  const values = sent.map((report) => report.progress);
  expect(values).toHaveLength(7);
  expect(values.every((value, index) => index === 0 || value > (values[index - 1] ?? 0))).toBe(true);
});

test('a client that requested no progress gets none', () => {
  const { sent, progress } = startCall();
  expect(progress.listener).toBeUndefined();
  vi.advanceTimersByTime(10 * SILENCE_MS);
  expect(sent).toEqual([]);
});
