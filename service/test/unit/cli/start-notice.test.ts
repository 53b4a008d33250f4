/** The sign of life of `svc-service add` while a server takes long to start. */
import { PassThrough, Readable } from 'node:stream';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Terminal } from '#sdk/cli/terminal';
import { StartNotice } from '../../../cli/imports/start-notice';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

/** @param columns of a terminal; undefined: a pipe */
function start(columns?: number, json = false) {
  const stderr = Object.assign(new PassThrough(), columns !== undefined && { columns });
  const notice = new StartNotice(new Terminal({ stdin: Readable.from([]), stdout: new PassThrough(), stderr }, json), 'files');
  onTestFinished(() => notice.end());
  return { notice, printed: () => String(stderr.read() ?? '') };
}

test('prints nothing for a server that starts within 3 s', () => {
  const { notice, printed } = start();
  vi.advanceTimersByTime(2_900);
  notice.end();
  vi.advanceTimersByTime(60_000);
  expect(printed()).toBe('');
});

test('is a line with the last words of the server after 3 s, and again every 10 s', () => {
  const { notice, printed } = start();
  notice.onLog({ level: 'info', message: 'npm warn deprecated' });
  notice.onLog({ level: 'info', message: 'npm http fetch GET 200 playwright' });
  vi.advanceTimersByTime(3_000);
  expect(printed()).toBe('"files" has been starting for 3 s: npm http fetch GET 200 playwright\n');
  vi.advanceTimersByTime(9_900);
  expect(printed()).toBe('');
  vi.advanceTimersByTime(100);
  expect(printed()).toBe('"files" has been starting for 13 s: npm http fetch GET 200 playwright\n');
});

test('is one line of a terminal that each second writes anew', () => {
  const { notice, printed } = start(80);
  vi.advanceTimersByTime(3_000);
  expect(printed()).toMatch(/"files" has been starting for 3 s: it has said nothing on stderr$/);
  notice.onLog({ level: 'info', message: 'Downloading\u001b[31m a browser' });
  vi.advanceTimersByTime(1_000);
  const line = printed();
  expect(line).toMatch(/^\r.*"files" has been starting for 4 s: Downloading.* a browser$/);
  expect(line).not.toContain('\n');
});

test('is left out with --json', () => {
  const { printed } = start(80, true);
  vi.advanceTimersByTime(60_000);
  expect(printed()).toBe('');
});
