import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Toolkit } from '../../../src/index';
import { SvcError } from '../../../src/protocol/errors';
import { connectionNotices } from '../../../src/toolkit/connection-notices';
import type { StatusListener, ToolkitStatus } from '../../../src/toolkit/status';
import { KEY, newToolkit, startService } from './wire-service';

const connected: ToolkitStatus = {
  state: 'connected',
  toolkit: { id: 'a', name: 'a', description: '' },
  accepted: [],
  warnings: [],
  moreWarnings: 0,
  held: [],
  rejected: [],
};
const lost = (message: string): ToolkitStatus => ({
  state: 'disconnected',
  reason: new SvcError('SERVICE_UNREACHABLE', message),
  retryInMs: 100,
});

let stderr: string[] = [];
beforeEach(() => {
  stderr = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr.push(String(text));
    return true;
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return () => {
    write.mockRestore();
    vi.useRealTimers();
  };
});

function notices(): StatusListener {
  return connectionNotices({ url: 'ws://tools:1/v1/toolkit', apiKey: KEY });
}

test('a toolkit that cannot connect prints a line after 3 s, with address, reason and advice, and a line when it is connected', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await vi.waitFor(() => expect(closed.listening).toBe(true));
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const toolkit = new Toolkit({ apiKey: KEY, baseUrl: `http://127.0.0.1:${port}` });
  onTestFinished(() => toolkit.stop({ timeoutMs: 0 }));
  const running = toolkit.run();
  await vi.waitFor(() => expect(stderr).toHaveLength(1));
  expect(stderr[0]).toMatch(
    new RegExp(
      `^svc-sdk: The toolkit is not connected: No connection to ws://127\\.0\\.0\\.1:${port}/v1/toolkit: .*ECONNREFUSED.*\\. Start the service .*SVC_BASE_URL.*\\n$`,
    ),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stderr).toHaveLength(1);
  await toolkit.stop({ timeoutMs: 0 });
  await running;
});

test('a connection that is restored within 3 s, or stopped, prints nothing', async () => {
  const listen = notices();
  listen({ state: 'connecting' });
  await vi.advanceTimersByTimeAsync(2_900);
  listen(connected);
  listen(lost('gone'));
  await vi.advanceTimersByTimeAsync(2_900);
  listen({ state: 'stopped' });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(stderr).toEqual([]);
});

test('each loss of more than 3 s prints two lines, without the key', async () => {
  const listen = notices();
  for (let loss = 0; loss < 2; loss++) {
    listen({ state: 'connecting' });
    listen(lost(`a page\n with ${KEY}`));
    await vi.advanceTimersByTimeAsync(3_000);
    listen(connected);
  }
  const down = expect.stringContaining('not connected: a page with [key]. ');
  const up = 'svc-sdk: The toolkit is connected to ws://tools:1/v1/toolkit\n';
  expect(stderr).toEqual([down, up, down, up]);
});

test('the line names a service that never answers', async () => {
  notices()({ state: 'connecting' });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(stderr).toEqual([expect.stringContaining('ws://tools:1/v1/toolkit has not answered yet')]);
});

test('with onStatus nothing is printed', async () => {
  const service = await startService();
  service.refuse = { status: 503, body: 'no' };
  const states: string[] = [];
  const toolkit = newToolkit(service, { onStatus: ({ state }) => states.push(state) });
  const running = toolkit.run();
  await vi.waitFor(() => expect(states).toContain('disconnected'));
  await vi.advanceTimersByTimeAsync(10_000);
  await toolkit.stop({ timeoutMs: 0 });
  await running;
  expect(stderr).toEqual([]);
});
