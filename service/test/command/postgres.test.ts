// @module-tag postgres
/** The built command on PostgreSQL. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Tools } from 'svc-sdk';
import { createService, migrateData, openEvidence, openKeys } from 'svc-service';
import { expect, onTestFinished, test } from 'vitest';
import { emptyDatabase } from '../../../test/support/postgres';
import { runToolkit, startService } from '../../../test/support/service';
import { runCommand, startCommand } from '../support/command';

test('serve, keys and evidence work on a database, from the variable or the flag, and never show the password', async () => {
  const database = (await emptyDatabase()).replace('svc@', 'svc:s3cret@');
  const env = { SVC_DATABASE_URL: database };
  const service = startCommand(['serve', '--port', '0', '--durability', 'normal'], { env });
  onTestFinished(() => service.kill('SIGKILL'));
  const [, url = '', shown] = await service.printed(/listens on (\S+) \(database: (.*)\)/);
  expect(shown).toMatch(/^127\.0\.0\.1:\d+\/test_\d+$/);
  const toolkitKey = (await runCommand(['keys', 'create', '--kind', 'toolkit', '--name', 'math'], { env })).stdout.trim();
  const agentKey = (await runCommand(['keys', 'create', '--kind', 'agent', '--name', 'me', '--database', database])).stdout.trim();
  await runToolkit(url, toolkitKey, (toolkit) => {
    const action = { action: 'add', actionDescription: 'Adds two numbers', payloadDescription: { a: 'number', b: 'number' } };
    toolkit.action(action, (_ctx, { a, b }) => ({ sum: Number(a) + Number(b) }));
  });
  const tools = new Tools({ baseUrl: url, apiKey: agentKey });
  expect(await tools.invoke('math__add', { a: 1, b: 2 })).toMatchObject({ result: { sum: 3 } });
  expect(JSON.parse((await runCommand(['evidence', 'show'], { env })).stdout)).toMatchObject({ records: 0 });
  expect((await runCommand(['keys', 'list'], { env })).stdout).toContain('agent');

  service.kill('SIGTERM');
  const { code, stdout, stderr } = await service.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).not.toContain('s3cret');
});

test('migrate prints the old and the new version, and with --check whether a migration is due', async () => {
  const database = await emptyDatabase();
  const migrate = (...options: string[]) => runCommand(['migrate', '--database', database, ...options]);
  const before = await migrate('--check');
  expect(before).toMatchObject({ code: 1, stdout: expect.stringMatching(/has version 0, this svc-service has \d+/) });
  expect(await migrate()).toMatchObject({ code: 0, stdout: expect.stringMatching(/went from version 0 to \d+/) });
  expect(await migrate('--check')).toMatchObject({ code: 0, stdout: expect.stringMatching(/nothing to do/) });
  const { to } = await migrateData({ database });
  expect(await migrateData({ database }, { check: true })).toEqual({ from: to, to });
});

test('a directory and a database at once are refused, and so is a second node without a bus', async () => {
  const database = await emptyDatabase();
  const both = await runCommand(['serve', '--data', 'somewhere'], { env: { SVC_DATABASE_URL: database } });
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('not both') });
  await expect(createService({ port: 0, data: 'somewhere', database })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await startService({ database });
  const second = await runCommand(['serve', '--port', '0', '--database', database]);
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('the same --nats') });
});

test('commands that only read do not create an empty database', async () => {
  const database = await emptyDatabase();
  await expect(openKeys({ database }, { create: false })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(openEvidence({ database })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await runCommand(['keys', 'list', '--database', database])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^NOT_FOUND/),
  });
});

test('a server that is down at the start is reported with its address and an exit code', async () => {
  const { code, stderr } = await runCommand(['serve', '--port', '0', '--database', 'postgres://svc:s3cret@127.0.0.1:1/svc']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^SERVICE_UNAVAILABLE: Cannot open the database 127\.0\.0\.1:1\/svc: /);
  expect(stderr).not.toContain('s3cret');
});

test('a NATS that accepts the connection and stays silent ends the command too', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  const sockets = new Set<Socket>();
  silent.on('connection', (socket) => sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const { code, stderr } = await runCommand([
    'serve',
    '--port',
    '0',
    '--database',
    await emptyDatabase(),
    '--nats',
    `nats://127.0.0.1:${port}`,
  ]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^SERVICE_UNAVAILABLE: Cannot reach NATS at 127\.0\.0\.1:/) });
  expect(sockets.size).toBeGreaterThan(0);
});

test('an empty variable is none, and how to make the first keys can be pasted', async () => {
  const database = await emptyDatabase();
  const service = startCommand(['serve', '--port', '0'], { env: { SVC_DATABASE_URL: database, SVC_NATS_URL: '' } });
  onTestFinished(() => service.kill('SIGKILL'));
  const [, example = ''] = await service.printed(
    /SVC_DATABASE_URL names this database[\s\S]*npx svc-service (keys create --kind agent .*)\n/,
  );
  expect(await runCommand(example.split(' '), { env: { SVC_DATABASE_URL: database } })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^svc_agent_/),
  });
});

test('the calls per minute of a key are limited on a database too', async () => {
  const service = await startService({ database: await emptyDatabase() });
  const { key } = await service.keys.create({ kind: 'agent', name: 'often', callsPerMinute: 2 });
  const statuses: number[] = [];
  for (let call = 0; call < 4; call++) {
    statuses.push((await fetch(`${service.url}/v1/toolkits`, { headers: { authorization: `Bearer ${key}` } })).status);
  }
  expect(statuses).toEqual([200, 200, 429, 429]);
});
