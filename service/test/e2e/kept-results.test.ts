/** The quota of results that are kept for retries: a greedy key loses its oldest ones, and no call runs a second time. */
import { Tools } from 'svc-sdk';
import type { ServiceOptions } from 'svc-service';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { makeFolder } from '../../../test/support/folder';
import { newDatabase } from '../../../test/support/postgres';
import { startService, type TestService } from '../../../test/support/service';
import { nextMillisecond } from '../support/next-millisecond';

const CALLS = 120;
/** The quota holds 67 of them. */
const RESULT_BYTES = 62_500;
const QUOTA = 4 * 1024 * 1024;
const OVERSHOOT = QUOTA / 8;
/** The store counts the results of the key after them. */
const CALLS_BEFORE_COUNT = Math.ceil(OVERSHOOT / RESULT_BYTES);

const startQuota = (options: ServiceOptions) => startService({ ...options, metrics: true, limits: { keptResultBytesPerKey: QUOTA } });

async function startLibrary(options: ServiceOptions) {
  const service = await startQuota(options);
  const runs = { count: 0 };
  const library = await service.toolkit('library', (toolkit) => {
    toolkit.action({ action: 'book', actionDescription: 'Gives a text' }, () => {
      runs.count++;
      return 'x'.repeat(RESULT_BYTES);
    });
  });
  return { service, library, runs };
}

const clientOf = ({ url }: TestService, apiKey: string) => new Tools({ baseUrl: url, apiKey });

const call = (tools: Tools, index: number) => tools.invoke('library__book', {}, { idempotencyKey: `once-${index}` });

/** Calls that a retry still gets the result of. */
async function keptOf(tools: Tools): Promise<number[]> {
  const kept: number[] = [];
  for (let index = 0; index < CALLS; index++) {
    const answer = await call(tools, index).catch((error: unknown) => error);
    if (answer instanceof Error) {
      const message = expect.stringMatching(/ran before and ended with OK\. .*no longer kept.* not run again/);
      expect(answer).toMatchObject({ code: 'OUTCOME_UNKNOWN', message });
    } else kept.push(index);
  }
  return kept;
}

/** A result that comes during the count is counted twice, so that less is kept. */
async function countEnds({ url }: TestService): Promise<void> {
  const counted = /^svc_store_duration_seconds_count\{operation="invocations\.keptResults",failed="false"\} 1$/m;
  await vi.waitFor(async () => expect(await (await fetch(`${url}/metrics`)).text()).toMatch(counted), { timeout: 30_000 });
}

async function keepsTheQuota(options: ServiceOptions): Promise<void> {
  const { service, library, runs } = await startLibrary(options);
  const [greedy, modest] = await Promise.all(['greedy', 'modest'].map((name) => service.keys.create({ kind: 'agent', name })));
  const tools = clientOf(service, greedy?.key ?? '');
  await call(clientOf(service, modest?.key ?? ''), 0);
  const first = await call(tools, 0);
  for (let index = 1; index < CALLS; index++) {
    if (index === CALLS_BEFORE_COUNT) await countEnds(service);
    await nextMillisecond();
    await call(tools, index);
  }

  await vi.waitFor(async () => expect((await keptOf(tools)).length * RESULT_BYTES).toBeLessThanOrEqual(QUOTA + OVERSHOOT), {
    timeout: 30_000,
  });
  const kept = await keptOf(tools);
  expect(kept.length * RESULT_BYTES).toBeGreaterThan(QUOTA - OVERSHOOT);
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => CALLS - kept.length + index));
  const read = tools.invoke('svc__read_result', { handle: first.invocationId, offset: 0 });
  await expect(read).rejects.toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('no longer kept') });
  expect(runs.count).toBe(CALLS + 1);
  // A toolkit waits for the confirmation of its results, which a stopped service does not send.
  await library.stop();
  await service.close();

  // No process offers the action now: a call that ran again would be TOOLKIT_OFFLINE.
  const restarted = await startQuota(options);
  expect(await keptOf(clientOf(restarted, greedy?.key ?? ''))).toEqual(kept);
  expect(await call(clientOf(restarted, modest?.key ?? ''), 0)).toMatchObject({ replayed: true });
}

describe('a key whose results are twice its quota keeps at most the quota, oldest removed first, and runs nothing again', () => {
  test('by default it is 64 MiB', () => expect(DEFAULT_LIMITS.keptResultBytesPerKey).toBe(64 * 1024 * 1024));

  test('on SQLite', async () => {
    const { path, remove } = makeFolder();
    onTestFinished(remove);
    await keepsTheQuota({ data: path });
  });
  test('on PostgreSQL', { tags: 'postgres', timeout: 60_000 }, async () => keepsTheQuota({ database: await newDatabase() }));
});
