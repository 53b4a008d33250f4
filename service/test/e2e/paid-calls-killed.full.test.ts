// @module-tag postgres
// @module-tag nats
/** Budgets and bookings through kill -9: 64 callers, three nodes that crash and restart, and the handler's log. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Tools } from 'svc-sdk';
import { openKeys } from 'svc-service';
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_PATHS, type LedgerEntriesPage } from '#sdk/protocol/admin';
import { toMillionths } from '#sdk/protocol/amount';
import { startNats } from '../../../test/support/nats';
import { newDatabase } from '../../../test/support/postgres';
import { runToolkit } from '../../../test/support/service';
import { startCommand } from '../support/command';

const CALLERS = 64;
const NODES = 3;
const KILLS = 4;
const PER_DAY = '6';

interface Entry {
  invocationId: string;
  state: string;
  authorised: bigint;
  charged: bigint;
}

/** A node under one address that is killed and started again. */
async function killable(args: readonly string[]) {
  const start = async (port: number) => {
    const command = startCommand(['serve', '--port', String(port), ...args]);
    onTestFinished(async () => {
      command.kill('SIGKILL');
      await command.ended;
    });
    const [, url = ''] = await command.printed(/listens on (http:\S+)/);
    return { command, url };
  };
  let running = await start(0);
  const { url } = running;
  return {
    url,
    async killAndRestart() {
      running.command.kill('SIGKILL');
      await running.command.ended;
      running = await start(Number(new URL(url).port));
    },
  };
}

test('callers at three nodes never spend more than the budget, and each booking is the handler’s', { timeout: 120_000 }, async () => {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const keys = await openKeys({ database });
  const agent = await keys.create({ kind: 'agent', name: 'agent', budget: { perCall: '0.05', perDay: PER_DAY } });
  const toolkit = await keys.create({ kind: 'toolkit', name: 'shop' });
  const admin = await keys.create({ kind: 'admin', name: 'admin' });
  await keys.close();
  const nodes = await Promise.all(Array.from({ length: NODES }, () => killable(['--database', database, '--nats', nats.url])));
  const [first] = nodes as [Awaited<ReturnType<typeof killable>>];

  /** Invocation id -> what the handler charged for it. */
  const book = new Map<string, bigint>();
  for (const { url } of nodes)
    await runToolkit(url, toolkit.key, (it) =>
      it.action({ action: 'buy', actionDescription: 'Buys', payment: { amount: '0.05' } }, async (ctx) => {
        const cost = `0.0${book.size % 6}`;
        expect(book.has(ctx.invocationId)).toBe(false);
        book.set(ctx.invocationId, toMillionths(cost) ?? 0n);
        await sleep(book.size % 7);
        ctx.charge(cost);
        return book.size;
      }),
    );

  const answered = new Map<string, bigint>();
  const callInTurn = async (caller: number, until: () => boolean) => {
    const { url } = nodes[caller % NODES] as { url: string };
    const tools = new Tools({ baseUrl: url, apiKey: agent.key, timeoutMs: 10_000 });
    for (let round = 0; !until(); round++) {
      const invoked = tools.invoke('shop__buy', {}, { idempotencyKey: `${caller}-${round}` });
      const answer = await invoked.catch((error) => error);
      if (answer.payment) answered.set(answer.invocationId, toMillionths(answer.payment.charged) ?? -1n);
      else await sleep(50);
    }
  };
  let isOver = false;
  const calling = Array.from({ length: CALLERS }, (_, caller) => callInTurn(caller, () => isOver));
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(700);
    await nodes[kill % NODES]?.killAndRestart();
  }
  await sleep(1_000);
  isOver = true;
  await Promise.all(calling);

  const entries = await allEntries(first.url, admin.key);
  const spent = entries.reduce((sum, { state, authorised, charged }) => sum + (state === 'held' ? authorised : charged), 0n);
  expect(spent).toBeLessThanOrEqual(toMillionths(PER_DAY) ?? 0n);
  expect(new Set(entries.map(({ invocationId }) => invocationId)).size).toBe(entries.length);
  const booked = new Map(entries.filter(({ state }) => state === 'charged').map(({ invocationId, charged }) => [invocationId, charged]));
  for (const [id, charged] of booked) expect([id, charged]).toEqual([id, book.get(id)]);
  for (const [id, charged] of answered) expect([id, charged]).toEqual([id, booked.get(id) ?? 0n]);
  expect(answered.size).toBeGreaterThan(100);
});

async function allEntries(url: string, adminKey: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const query = new URLSearchParams({ limit: '200', ...(cursor !== '' && { cursor }) });
    const answer = await fetch(`${url}${ADMIN_PATHS.ledger}?${query}`, { headers: { authorization: `Bearer ${adminKey}` } });
    const page = (await answer.json()) as LedgerEntriesPage;
    for (const { invocationId, state, authorised, charged } of page.entries)
      entries.push({ invocationId, state, authorised: toMillionths(authorised) ?? 0n, charged: toMillionths(charged) ?? 0n });
    cursor = page.nextCursor;
  }
  return entries;
}
