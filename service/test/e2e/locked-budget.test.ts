// @module-tag postgres
/** The budget of a key is locked in the database while many of its calls arrive and are cancelled. The node keeps serving other keys. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Tools } from 'svc-sdk';
import { openKeys } from 'svc-service';
import { expect, onTestFinished, test } from 'vitest';
import { HEADERS, PATHS } from '#sdk/protocol/http';
import { newDatabase } from '../../../test/support/postgres';
import { runToolkit } from '../../../test/support/service';
import { startCommand } from '../support/command';

/** More than one batch of records. */
const CALLS = 700;

test('refused calls that cannot be written yet do not block the event loop', async () => {
  const database = await newDatabase();
  const keys = await openKeys({ database });
  const agent = await keys.create({ kind: 'agent', name: 'agent', budget: { perCall: '0.05', perDay: '1000' } });
  const toolkit = await keys.create({ kind: 'toolkit', name: 'shop' });
  await keys.close();
  const command = startCommand(['serve', '--port', '0', '--database', database]);
  onTestFinished(async () => {
    command.kill('SIGKILL');
    await command.ended;
  });
  const [, url = ''] = await command.printed(/listens on (http:\S+)/);
  const runs = new Set<string>();
  await runToolkit(url, toolkit.key, (it) =>
    it.action({ action: 'buy', actionDescription: 'Buys', payment: { amount: '0.05' } }, (ctx) => void runs.add(`${ctx.idempotencyKey}`)),
  );
  const tools = new Tools({ baseUrl: url, apiKey: agent.key });
  await tools.invoke('shop__buy', {}, { idempotencyKey: 'before' });

  const other = new pg.Client({ connectionString: database });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query('BEGIN');
  await other.query('SELECT FROM spending FOR UPDATE');
  const headers = { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json', [HEADERS.timeoutMs]: '500' };
  const codes = Array.from({ length: CALLS }, async (_, number) => {
    const init = { method: 'POST', body: '{"action":"shop__buy","payload":{}}' };
    const answer = await fetch(url + PATHS.invoke, { ...init, headers: { ...headers, [HEADERS.idempotencyKey]: `${number}` } });
    return ((await answer.json()) as { code: string }).code;
  });
  const answers = new Set(await Promise.all(codes));
  // The database gives up a statement that waits for 8 s, and the calls of the next moment are refused at once.
  answers.delete('SERVICE_UNAVAILABLE');
  expect(answers).toEqual(new Set(['INVOCATION_TIMEOUT']));
  await sleep(500);
  expect((await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) })).status).toBe(200);
  await other.query('COMMIT');
  // The keys of the calls that did not run are free again.
  for (const idempotencyKey of ['0', `${CALLS - 1}`]) {
    await tools.invoke('shop__buy', {}, { idempotencyKey });
    expect(runs).toContain(idempotencyKey);
  }
});
