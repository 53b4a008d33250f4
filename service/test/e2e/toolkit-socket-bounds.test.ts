/** The limits of one toolkit's socket, and of all sockets together. */
import { expect, test, vi } from 'vitest';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService, type TestService } from '../../../test/support/service';

const MEGABYTE = 1024 * 1024;
const action = { action: 'ask', actionDescription: 'Asks' };

async function echoes(service: TestService, text: string): Promise<void> {
  await service.toolkit('echo', (toolkit) => {
    toolkit.action({ action: 'echo', actionDescription: 'Echoes' }, () => text);
  });
  expect((await (await service.tools()).invoke('echo__echo')).result).toBe(text);
}

test('unfinished frames are bounded in all: the oldest large ones are closed with the reason, and whole frames pass', async () => {
  const service = await startService({ limits: { unfinishedFrameBytes: MEGABYTE } });
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'raw' });
  const halves: RawToolkit[] = [];
  for (let count = 0; count < 12; count++) {
    const raw = await RawToolkit.connect(service, key);
    // Half frames, and whole fragments of a frame that has no end; before and after `register`.
    if (count % 4 < 2) await raw.register([], { instance: `instance-${count}` });
    if (count % 2 === 0) raw.sendHalf(MEGABYTE, 200_000);
    else await raw.sendFragments(['"', 'x'.repeat(200_000)]);
    halves.push(raw);
  }
  await vi.waitFor(() => expect(halves.filter(({ closed }) => closed).length).toBe(7));
  for (const { closed } of halves.slice(0, 7)) {
    expect(closed).toEqual({ code: 1013, reason: 'too many frames are unfinished at this moment' });
  }
  await echoes(service, 'x'.repeat(500_000));
});

test('before `register`, a frame is at most as long as `register` may be', async () => {
  const service = await startService({ limits: { toolkitTextBytes: 100_000 } });
  const stranger = await RawToolkit.connect(service);
  stranger.sendHalf(MEGABYTE, 500_000);
  await vi.waitFor(() => expect(stranger.closed).toEqual({ code: 4400, reason: 'a frame before "register" has at most 450000 bytes' }));

  const raw = await RawToolkit.connect(service);
  const answer = await raw.request('register', { text: 'x'.repeat(400_000) });
  expect(answer).toMatchObject({ error: { message: expect.stringContaining('at most 150000 are allowed') } });
  await raw.register([action]);
  raw.sendHalf(600_000, 500_000);
  raw.sendBytes(Buffer.alloc(100_000, ' '));
  // The frame is complete, and no JSON.
  await vi.waitFor(() => expect(raw.received.at(-1)).toMatchObject({ error: { code: -32700 } }));
  expect(await raw.request('heartbeat')).toMatchObject({ result: {} });
});

test('a frame has at most 1,024 fragments', async () => {
  const raw = await RawToolkit.connect(await startService());
  await raw.register([action]);
  await raw.sendFragments(Array.from({ length: 1_030 }, () => 'x'));
  await vi.waitFor(() => expect(raw.closed?.code).toBe(1008));
});

test('a compressed frame is refused: compression is not negotiated', async () => {
  const raw = await RawToolkit.connect(await startService());
  raw.sendBytes(Buffer.from([0xc1, 0x81, 0, 0, 0, 0, 0]));
  await vi.waitFor(() => expect(raw.closed?.code).toBe(1002));
});

const FLOODS: [string, unknown][] = [
  ['progress of an unknown call', { jsonrpc: '2.0', method: 'progress', params: { invocationId: 'inv_nobody', progress: 1 } }],
  ['answers to an unknown call', { jsonrpc: '2.0', id: 'inv_nobody', result: 1 }],
  ['late results of an unknown call', { jsonrpc: '2.0', id: 1, method: 'result', params: { invocationId: 'inv_nobody', result: 1 } }],
  ['heartbeats', { jsonrpc: '2.0', id: 1, method: 'heartbeat' }],
];

const closedByFlood = { code: 4400, reason: 'too many frames that belong to no running call' };

test.each(FLOODS)('a flood of %s closes the socket', async (_name, frame) => {
  const raw = await RawToolkit.connect(await startService());
  await raw.register([action]);
  raw.sendMany(frame, 15_000);
  await vi.waitFor(() => expect(raw.closed).toEqual(closedByFlood));
});

test('a flood before `register` closes the socket, and other sockets are not affected', async () => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  raw.sendMany({ jsonrpc: '2.0', id: 1, method: 'drain' }, 15_000);
  await vi.waitFor(() => expect(raw.closed).toEqual(closedByFlood));
  await echoes(service, 'still here');
});

test('late progress of a call that timed out or was cancelled closes nothing, however much it is', async () => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  await raw.register([action]);
  const tools = await service.tools();
  await expect(tools.invoke('raw__ask', {}, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'INVOCATION_TIMEOUT' });
  const leave = new AbortController();
  const cancelled = expect(tools.invoke('raw__ask', {}, { signal: leave.signal })).rejects.toThrow();
  const ids = [(await raw.invoked()).id, (await raw.invoked(1)).id];
  leave.abort();
  await cancelled;
  for (const invocationId of ids) {
    raw.sendMany({ jsonrpc: '2.0', method: 'progress', params: { invocationId, progress: 1 } }, 15_000);
  }
  expect(await raw.request('heartbeat')).toMatchObject({ result: {} });
});
