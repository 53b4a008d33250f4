/** The alerts of each kind, with readings that a test makes up. */
import { expect, test } from 'vitest';
import { type AlertKind, alertRuleOf } from '#sdk/protocol/alerts';
import type { AlertCheck } from '../../../src/attention/alert-check';
import { ALERT_CHECKS } from '../../../src/attention/alert-checks';
import type { AlertContext } from '../../../src/attention/alert-context';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = 1_900_000_000_000;

const weather = { id: 'weather', name: 'Weather', isOnline: true, held: 0 };
const aKey = { id: 'key_1', name: 'bot', createdAt: NOW - 90 * DAY, expiresAt: null, callsPerMinute: 60, budget: null };

function contextOf(change: Partial<Record<keyof AlertContext, unknown>> & { open?: string[] } = {}): AlertContext {
  const { open = [], ...readings } = change;
  return {
    now: NOW,
    startedAt: NOW - DAY,
    rule: (kind: AlertKind) => alertRuleOf(kind, {}),
    isOpen: (kind: AlertKind, subject: string) => open.includes(`${kind} ${subject}`),
    toolkits: () => [weather],
    keys: async () => [aKey],
    sums: async () => [],
    backupsAreKnown: true,
    lastBackup: async () => undefined,
    storeSizes: async () => [],
    ...readings,
  } as unknown as AlertContext;
}

const found = async (kind: AlertKind, change?: Parameters<typeof contextOf>[0]) =>
  (ALERT_CHECKS.find((check) => check.kind === kind) as AlertCheck).check(contextOf(change));

test('a toolkit is offline after ten minutes, not at the start of the service, and not when it was away for long', async () => {
  const away = (ms: number) => ({
    toolkits: () => [{ ...weather, isOnline: false }],
    lastSeen: async () => new Map([['weather', NOW - ms]]),
  });
  expect(await found('toolkit-offline', away(9 * 60_000))).toEqual([]);
  expect(await found('toolkit-offline', away(10 * 60_000))).toMatchObject([{ subject: 'weather', toolkitId: 'weather' }]);
  expect(await found('toolkit-offline', { ...away(HOUR), startedAt: NOW - 60_000 })).toEqual([]);
  expect(await found('toolkit-offline', away(8 * DAY))).toEqual([]);
  expect(await found('toolkit-offline', { ...away(8 * DAY), open: ['toolkit-offline weather'] })).toHaveLength(1);
  expect(await found('toolkit-offline', { ...away(HOUR), lastSeen: async () => new Map() })).toEqual([]);
});

test('one failure of two calls raises no alert; a share that was as high a week ago is none either', async () => {
  const rates = (calls: number, errors: number, before?: { calls: number; errors: number }) => ({
    sums: async (_: string, from: number) =>
      from > NOW - DAY ? [{ name: 'weather', calls, errors }] : before ? [{ name: 'weather', ...before }] : [],
  });
  expect(await found('toolkit-errors', rates(2, 1))).toEqual([]);
  expect(await found('toolkit-errors', rates(20, 4))).toMatchObject([{ text: expect.stringContaining('20 % of 20 calls failed') }]);
  expect(await found('toolkit-errors', rates(100, 30, { calls: 100, errors: 20 }))).toEqual([]);
  expect(await found('toolkit-errors', rates(100, 40, { calls: 100, errors: 20 }))).toHaveLength(1);
  // A week ago there were too few calls to compare with.
  expect(await found('toolkit-errors', rates(100, 30, { calls: 2, errors: 1 }))).toHaveLength(1);
  // An open alert ends below four fifths of its threshold.
  expect(await found('toolkit-errors', { ...rates(100, 17), open: ['toolkit-errors weather'] })).toHaveLength(1);
  expect(await found('toolkit-errors', { ...rates(100, 15), open: ['toolkit-errors weather'] })).toEqual([]);
});

test('a key is at its limit by refusals, or near it by its calls', async () => {
  const counts = (code: string, calls: number) => ({ totals: async () => [{ name: 'key_1', code, bucket: 1, calls }] });
  expect(await found('key-limit', counts('RATE_LIMITED', 9))).toEqual([]);
  expect(await found('key-limit', counts('RATE_LIMITED', 10))).toMatchObject([{ severity: 'critical' }]);
  expect(await found('key-limit', counts('OK', 719))).toEqual([]);
  expect(await found('key-limit', counts('OK', 720))).toMatchObject([{ severity: 'warning', text: expect.stringContaining('80 %') }]);
});

test('a budget is near its end at 80 %, and spent at 100 %', async () => {
  const used = (charged: bigint, held: bigint) => ({
    keys: async () => [{ ...aKey, budget: { perCall: '1', perDay: '10' } }],
    spent: async () => new Map([['key_1', { charged, held }]]),
  });
  expect(await found('key-budget', used(7_000_000n, 900_000n))).toEqual([]);
  expect(await found('key-budget', used(7_000_000n, 1_000_000n))).toHaveLength(1);
  expect(await found('key-budget-spent', used(9_000_000n, 900_000n))).toEqual([]);
  expect(await found('key-budget-spent', used(9_000_000n, 1_000_000n))).toMatchObject([{ severity: 'critical', keyId: 'key_1' }]);
});

test('a key expires within a week; a key for an hour does not', async () => {
  const expiring = (expiresAt: number, createdAt = NOW - 90 * DAY) => ({ keys: async () => [{ ...aKey, createdAt, expiresAt }] });
  expect(await found('key-expiry', expiring(NOW + 8 * DAY))).toEqual([]);
  expect(await found('key-expiry', expiring(NOW + 6 * DAY))).toMatchObject([{ severity: 'warning' }]);
  expect(await found('key-expiry', expiring(NOW - DAY))).toMatchObject([{ severity: 'critical' }]);
  expect(await found('key-expiry', expiring(NOW + HOUR, NOW))).toEqual([]);
});

test('a backup is old after 26 hours; PostgreSQL without a noted backup is not known', async () => {
  const backedUp = (ms: number) => ({ lastBackup: async () => NOW - ms });
  expect(await found('backup-old', backedUp(25 * HOUR))).toEqual([]);
  expect(await found('backup-old', backedUp(26 * HOUR))).toHaveLength(1);
  const never = { storeSizes: async () => [{ at: NOW - 2 * DAY, bytes: 1 }] };
  expect(await found('backup-old', never)).toMatchObject([{ text: expect.stringContaining('never backed up') }]);
  expect(await found('backup-old', { ...never, backupsAreKnown: false })).toEqual([]);
  expect(await found('backup-old')).toEqual([]);
});

test('growth needs the size of a day ago', async () => {
  const grown = (ageMs: number) => ({
    storeBytes: async () => 5_000_000_000,
    storeSizes: async () => [{ at: NOW - ageMs, bytes: 1_000_000_000 }],
  });
  expect(await found('store-growth', grown(23 * HOUR))).toEqual([]);
  expect(await found('store-growth', grown(DAY))).toMatchObject([{ text: expect.stringContaining('4.0 GB in a day') }]);
});
