import { Toolkit } from 'svc-sdk';
import { expect, onTestFinished, test, vi } from 'vitest';

async function refusal() {
  const toolkit = new Toolkit({ apiKey: 'svc_toolkit_abcdefgh', baseUrl: 'http://127.0.0.1:9' });
  onTestFinished(() => toolkit.stop());
  const error = await toolkit.run().catch((reason: unknown) => reason);
  await expect(toolkit.ready).rejects.toBe(error);
  return error;
}

test.each([
  ['Cloudflare Workers', 'navigator', { userAgent: 'Cloudflare-Workers' }],
  ['an edge runtime', 'EdgeRuntime', 'edge-runtime'],
])('in %s run() and ready reject at once', async (where, name, value) => {
  vi.stubGlobal(name, value);
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(await refusal()).toMatchObject({
    code: 'INVALID_REQUEST',
    retryable: false,
    message: `A Toolkit cannot run in ${where}: run it as a process on Node 22.13 or newer, Bun or Deno. Tools works here`,
  });
});

test("a bundler's stub in place of ws is refused at once", async () => {
  vi.resetModules();
  vi.doMock('ws', () => ({ default: () => {}, WebSocket: undefined }));
  onTestFinished(() => void vi.doUnmock('ws'));
  const { loadSocket } = await import('../../../src/toolkit/load-socket');
  await expect(loadSocket()).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('made for a browser or a worker'),
  });
});
