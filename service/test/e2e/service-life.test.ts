/** The remains of a service after its end, and its state at a start. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createService } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService } from '../../../test/support/service';

const ask = { action: 'ask', actionDescription: 'Asks' };

test('a handler that never answers a cancel does not disturb a service that has closed', async () => {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const error = vi.fn();
  const logger = { error, warn: vi.fn(), info: vi.fn(), debug: vi.fn() };
  const service = await startService({ data: path, logger, limits: { reconnectGraceMs: 300 } });
  const raw = await RawToolkit.connect(service);
  await raw.register([ask]);
  const tools = await service.tools();
  await expect(tools.invoke('raw__ask', {}, { timeoutMs: 100 })).rejects.toMatchObject({ code: 'INVOCATION_TIMEOUT' });
  await service.close();
  await sleep(350);
  expect(error).not.toHaveBeenCalled();
});

test('closing twice is closing once', async () => {
  const service = await createService({ port: 0 });
  await Promise.all([service.close(), service.close()]);
  await service.close();
});

test('a limit that no timer can wait for is refused', async () => {
  await expect(createService({ port: 0, limits: { maxTimeoutMs: 3_000_000_000 } })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('maxTimeoutMs'),
  });
  await (await createService({ port: 0, limits: { idempotencyMs: 3_000_000_000 } })).close();
});

test('progress is not buffered without bound for a caller that does not read, and the result still arrives', async () => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  await raw.register([ask]);
  const { key } = await service.keys.create({ kind: 'agent', name: 'slow reader' });
  const socket = connect(service.port, '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void socket.destroy());
  const body = '{"action": "raw__ask"}';
  socket.write(
    `POST /v1/invoke HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\naccept: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  const { id } = await raw.invoked();
  const message = 'm'.repeat(1_000);
  const reports = 30_000;
  for (let progress = 1; progress <= reports; progress++)
    raw.send({ jsonrpc: '2.0', method: 'progress', params: { invocationId: id, progress, message } });
  await raw.request('heartbeat');
  raw.send({ jsonrpc: '2.0', id, result: 'done' });
  await raw.request('heartbeat');

  let received = '';
  socket.on('data', (text: string) => {
    received += text;
  });
  await vi.waitFor(() => expect(received).toContain('event: result'));
  expect(received.split('event: progress').length).toBeLessThan(reports / 2);
});
