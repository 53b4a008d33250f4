/** `svc-service backup`, `export` and `import`, as processes beside a service that is another one. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { type Toolkit, Tools } from 'svc-sdk';
import { openKeys } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { emptyDatabase } from '../../../test/support/postgres';
import { startProcess } from '../../../test/support/processes';
import { runToolkit, startService } from '../../../test/support/service';
import { runCommand, startCommand } from '../support/command';

const ON_POSTGRES = { tags: 'postgres', timeout: 60_000 } as const;
const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

function folder(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return path;
}

async function makeData() {
  const cwd = folder();
  const keys = await openKeys(join(cwd, 'data'));
  const agent = await keys.create({ kind: 'agent', name: 'agent' });
  const toolkit = await keys.create({ kind: 'toolkit', name: 'shop' });
  await keys.close();
  return { cwd, agentKey: agent.key, toolkitKey: toolkit.key };
}

async function serve(cwd: string, data: string) {
  const command = startCommand(['serve', '--port', '0', '--data', data], { cwd });
  onTestFinished(async () => {
    command.kill('SIGKILL');
    await command.ended;
  });
  const [, url = ''] = await command.printed(/listens on (http:\S+)/);
  const stop = () => {
    command.kill('SIGTERM');
    return command.ended;
  };
  return { url, stop };
}

/** Many calls, written straight into the database. */
function addCalls(data: string, count: number): void {
  const database = new DatabaseSync(join(data, 'svc.sqlite'));
  const add = database.prepare(
    'INSERT INTO invocations (id, agent_key_id, idempotency_key, request_hash, action, started_at, code, body, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  database.exec('BEGIN');
  for (let index = 0; index < count; index++)
    add.run(`inv_${index}`, 'key_x', `key ${index}`, 'e'.repeat(64), 'shop__order', index, 'OK', `"${'x'.repeat(300)}"`, index);
  database.exec('COMMIT');
  database.close();
}

test('a service under load is backed up with every call that was answered before, and its retries there run nothing again', async () => {
  const { cwd, agentKey, toolkitKey } = await makeData();
  const first = await serve(cwd, 'data');
  let runs = 0;
  const count = (it: Toolkit) => it.action({ action: 'count', actionDescription: 'Counts' }, () => ++runs);
  const toolkit = await runToolkit(first.url, toolkitKey, count);
  const tools = new Tools({ baseUrl: first.url, apiKey: agentKey });
  const answers = new Map<string, object>();
  let isDone = false;
  const load = Array.from({ length: 8 }, async (_, worker) => {
    for (let turn = 0; !isDone; turn++) {
      const idempotencyKey = `${worker}-${turn}`;
      answers.set(idempotencyKey, await tools.invoke('shop__count', {}, { idempotencyKey }));
    }
  });
  const backups: Map<string, object>[] = [];
  for (const file of ['0.sqlite', '1.sqlite', '2.sqlite']) {
    const target = 200 + answers.size;
    await vi.waitFor(() => expect(answers.size).toBeGreaterThan(target));
    backups.push(new Map(answers));
    expect(await runCommand(['backup', file, '--data', 'data'], { cwd })).toEqual({
      code: 0,
      stdout: `data is copied to ${join(cwd, file)}\n`,
      stderr: '',
    });
    expect(statSync(join(cwd, file)).mode & 0o777).toBe(0o600);
  }
  isDone = true;
  await Promise.all(load);
  await toolkit.stop();
  await first.stop();

  for (const [index, before] of backups.entries()) {
    const restored = `restored-${index}`;
    mkdirSync(join(cwd, restored));
    copyFileSync(join(cwd, `${index}.sqlite`), join(cwd, restored, 'svc.sqlite'));
    const { url, stop } = await serve(cwd, restored);
    const again = await runToolkit(url, toolkitKey, count);
    const runsBefore = runs;
    const there = new Tools({ baseUrl: url, apiKey: agentKey });
    for (const [idempotencyKey, answer] of before)
      expect(await there.invoke('shop__count', {}, { idempotencyKey })).toEqual({ ...answer, replayed: true });
    expect(runs).toBe(runsBefore);
    await again.stop();
    await stop();
  }
});

test('an export that is piped into an import moves a service: its keys work there, and a retry gets its first result', async () => {
  const { cwd, agentKey, toolkitKey } = await makeData();
  const first = await serve(cwd, 'data');
  let runs = 0;
  const order = (it: Toolkit) => it.action({ action: 'order', actionDescription: 'Orders tea' }, () => ({ order: ++runs }));
  const toolkit = await runToolkit(first.url, toolkitKey, order);
  const call = (baseUrl: string) => new Tools({ baseUrl, apiKey: agentKey }).invoke('shop__order', {}, { idempotencyKey: 'tea' });
  const answer = await call(first.url);
  expect(answer).toMatchObject({ result: { order: 1 } });

  const node = `"${process.execPath}" "${PROGRAM}"`;
  const piped = await startProcess('sh', ['-c', `${node} export - --data data | ${node} import - --data moved`], { cwd }).ended;
  // The counts of the call are written at intervals.
  const rows =
    /^Exported to standard output: (1 toolkits, 1 actions, 0 toolkit profiles, 0 action approvals, 0 action rejections, 0 toolkit callers, 2 keys, 1 invocations, 1 evidence secret, 0 evidence, .*)\n$/.exec(
      piped.stderr,
    )?.[1];
  expect(piped).toEqual({
    code: 0,
    stdout: `Imported into moved: ${rows}\n`,
    stderr: `Exported to standard output: ${rows}\n`,
  });
  await toolkit.stop();
  await first.stop();

  const second = await serve(cwd, 'moved');
  await runToolkit(second.url, toolkitKey, order);
  expect(await call(second.url)).toEqual({ ...answer, replayed: true });
  expect(runs).toBe(1);
});

test('a service moves from SQLite to PostgreSQL and back: keys work there, a retry gets its first result', ON_POSTGRES, async () => {
  const { cwd, agentKey, toolkitKey } = await makeData();
  const first = await serve(cwd, 'data');
  let runs = 0;
  const order = (it: Toolkit) => it.action({ action: 'order', actionDescription: 'Orders tea' }, () => ({ order: ++runs }));
  const toolkit = await runToolkit(first.url, toolkitKey, order);
  const call = (baseUrl: string) => new Tools({ baseUrl, apiKey: agentKey }).invoke('shop__order', {}, { idempotencyKey: 'tea' });
  const answer = await call(first.url);
  await toolkit.stop();
  await first.stop();

  const database = await emptyDatabase();
  const env = { SVC_DATABASE_URL: database.replace('svc@', 'svc:hunter2@') };
  const moved = [
    await runCommand(['export', 'export.jsonl', '--data', 'data'], { cwd }),
    await runCommand(['import', 'export.jsonl'], { cwd, env }),
    await runCommand(['export', 'again.jsonl', '--database', database], { cwd }),
  ];
  expect(moved.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(moved[1]?.stdout).toMatch(
    /^Imported into 127\.0\.0\.1:\d+\/test_\d+: 1 toolkits, 1 actions, 0 toolkit profiles, 0 action approvals, 0 action rejections, 0 toolkit callers, 2 keys, 1 invocations, /,
  );
  expect(readFileSync(join(cwd, 'again.jsonl'), 'utf8')).toBe(readFileSync(join(cwd, 'export.jsonl'), 'utf8'));
  const refused = await runCommand(['backup', 'b.sqlite'], { cwd, env });
  expect(refused).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('pg_dump --format=custom --file=b.sqlite "$SVC_DATABASE_URL"'),
  });
  for (const { stdout, stderr } of [...moved, refused]) expect(stdout + stderr).not.toContain('hunter2');

  const second = await startService({ database });
  await runToolkit(second.url, toolkitKey, order);
  expect(await call(second.url)).toEqual({ ...answer, replayed: true });
  expect(runs).toBe(1);
  expect(await runCommand(['import', 'export.jsonl', '--database', database], { cwd })).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^INVALID_REQUEST: A service runs on 127\.0\.0\.1:\d+\/test_\d+: stop all of its nodes, or name another database\n$/,
    ),
  });
  expect((await runCommand(['import', 'again.jsonl', '--data', 'back'], { cwd })).code).toBe(0);
  const third = await serve(cwd, 'back');
  expect(await call(third.url)).toEqual({ ...answer, replayed: true });
});

test('a file that is not an export, or cannot be read or written, is reported in one line', async () => {
  const { cwd } = await makeData();
  await serve(cwd, 'data');
  writeFileSync(join(cwd, 'letter'), 'Dear Ada\n');
  expect((await runCommand(['export', 'good', '--data', 'data'], { cwd })).code).toBe(0);
  expect(statSync(join(cwd, 'good')).mode & 0o777).toBe(0o600);
  const good = readFileSync(join(cwd, 'good'), 'utf8');
  writeFileSync(join(cwd, 'torn'), good.slice(0, good.lastIndexOf('{"end"')));
  for (const [args, message] of [
    [['import', 'letter'], /^INVALID_REQUEST: This is not an export of svc-sdk; create one with: svc-service export <file>\n$/],
    [['import', 'torn'], /^INVALID_REQUEST: The export is incomplete: it breaks off after line \d+\. .*\n$/],
    [['import', 'missing'], /^INVALID_REQUEST: Cannot read missing: ENOENT.*\n$/],
    [['import', '.'], /^INVALID_REQUEST: Cannot read \.: EISDIR.*\n$/],
    [['import', 'good', '--data', 'data'], /^INVALID_REQUEST: Another service runs on .*svc\.sqlite; stop it, .*\n$/],
    [['export', 'missing/e', '--data', 'data'], /^INVALID_REQUEST: Cannot write missing\/e: create the directory missing first\n$/],
    [['export', 'good', '--data', 'data'], /^INVALID_REQUEST: good already exists: name another file, or replace it with --force\n$/],
    [['export', '-', '--data', 'nowhere'], /^NOT_FOUND: There is no data of a service in .*nowhere: /],
    [['backup', 'missing/b', '--data', 'data'], /^INVALID_REQUEST: Cannot write missing\/b: create the directory missing first\n$/],
    [['backup', 'good', '--data', 'data'], /^INVALID_REQUEST: good already exists: /],
  ] as const) {
    const { code, stdout, stderr } = await runCommand([...args], { cwd });
    expect({ args, code, stdout, stderr }).toEqual({ args, code: 1, stdout: '', stderr: expect.stringMatching(message) });
  }
  expect(existsSync(join(cwd, 'nowhere'))).toBe(false);
});

test('a backup says that it leaves out the key of the stored accounts', async () => {
  const { cwd } = await makeData();
  const backup = (file: string) => runCommand(['backup', file, '--data', 'data'], { cwd });
  expect((await backup('before')).stdout).toBe(`data is copied to ${join(cwd, 'before')}\n`);
  writeFileSync(join(cwd, 'data', 'secrets.key'), 'k1:c2VjcmV0');
  expect(await backup('after')).toEqual({
    code: 0,
    stdout: `data is copied to ${join(cwd, 'after')}, without ${join('data', 'secrets.key')}, which opens the connections in it\n`,
    stderr: '',
  });
  expect(readFileSync(join(cwd, 'after'), 'latin1')).not.toContain('c2VjcmV0');
});

test.runIf(existsSync('/dev/full'))('an export whose reader is closed or full is reported in one line', async () => {
  const { cwd } = await makeData();
  addCalls(join(cwd, 'data'), 2_000);
  const node = `"${process.execPath}" "${PROGRAM}"`;
  const { stderr: full } = await startProcess('sh', ['-c', `${node} export - --data data > /dev/full`], { cwd }).ended;
  expect(full).toBe('INVALID_REQUEST: Cannot write the export: the disk is full; make room\n');
  const { stderr: gone } = await startProcess('sh', ['-c', `${node} export - --data data | true`], { cwd }).ended;
  expect(gone).toBe('INVALID_REQUEST: Cannot write the export: its reader closed it\n');
});

/** Runs in a separate mount namespace, which ends with the command. */
const canMount = spawnSync('sh', ['-c', 'unshare -m mount -t tmpfs tmpfs /tmp']).status === 0;

test.runIf(canMount)('a full disk is reported, and no file is left', async () => {
  const { cwd } = await makeData();
  addCalls(join(cwd, 'data'), 2_000);
  mkdirSync(join(cwd, 'small'));
  await runCommand(['export', 'export', '--data', 'data'], { cwd });
  const run = (command: string) => {
    const node = `"${process.execPath}" "${PROGRAM}"`;
    const script = `mount -t tmpfs -o size=400k tmpfs small && ${node} ${command}; echo "code $?"; ls -A small`;
    return startProcess('sh', ['-c', `unshare -m sh -c '${script}'`], { cwd }).ended;
  };
  for (const command of ['backup small/file --data data', 'export small/file --data data']) {
    const { stdout, stderr } = await run(command);
    expect({ stdout, stderr }).toEqual({
      stdout: 'code 1\n',
      stderr: 'INVALID_REQUEST: Cannot write small/file: the disk is full; make room\n',
    });
  }
  const { stdout, stderr } = await run('import export --data small/data');
  expect({ stdout, stderr }).toEqual({ stdout: 'code 1\ndata\n', stderr: expect.stringMatching(/^INVALID_REQUEST: .* full.*\n$/) });
});

test.each(['export', 'backup'])('Ctrl-C in the middle of %s leaves no file', async (command) => {
  const { cwd } = await makeData();
  addCalls(join(cwd, 'data'), 100_000);
  const before = readdirSync(cwd);
  const running = startCommand([command, 'file', '--data', 'data'], { cwd });
  await vi.waitFor(() => expect(readdirSync(cwd).length).toBeGreaterThan(before.length), { interval: 1 });
  running.kill('SIGINT');
  expect(await running.ended).toEqual({ code: 130, stdout: '', stderr: 'Stopped before the end: nothing whole was written\n' });
  expect(readdirSync(cwd)).toEqual(before);
});

test('Ctrl-C in the middle of an import leaves the data empty', async () => {
  const { cwd } = await makeData();
  addCalls(join(cwd, 'data'), 20_000);
  await runCommand(['export', 'file', '--data', 'data'], { cwd });
  expect(spawnSync('sh', ['-c', 'mkfifo pipe'], { cwd }).status).toBe(0);
  const running = startCommand(['import', 'pipe', '--data', 'new'], { cwd });
  const pipe = createWriteStream(join(cwd, 'pipe'));
  pipe.on('error', () => {});
  const lines = readFileSync(join(cwd, 'file'));
  // A pipe holds 64 kB of it: the import has the rest.
  await new Promise((resolve) => pipe.write(lines.subarray(0, -200_000), resolve));
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(null);
  pipe.destroy();
  await once(pipe, 'close');

  const { code, stdout } = await runCommand(['import', 'file', '--data', 'new'], { cwd });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('20000 invocations') });
});
