/** The contract of every store for evidence. */
import { describe, expect, test } from 'vitest';
import type { EvidenceRecord, Store } from '../../src/store/store';

const NOW = 1_700_000_000_000;

function aRecord(change: Partial<EvidenceRecord> = {}): EvidenceRecord {
  return {
    action: 'mail__send',
    query: 'q1',
    agentKeyId: 'key_a',
    terms: ['x1', 'x2'],
    text: null,
    successes: 1.5,
    failures: 0,
    succeededAt: NOW,
    changedAt: NOW,
    ...change,
  };
}

export function evidenceContract(name: string, newStore: () => Promise<Store>): void {
  describe(`${name}: evidence`, () => {
    test('records are read unchanged, oldest change first', async () => {
      const { evidence } = await newStore();
      const [young, old] = [aRecord({ changedAt: NOW + 2 }), aRecord({ agentKeyId: 'key_b', text: 'Grüße 🌤️', succeededAt: null })];
      await evidence.save([young, old]);
      expect(await evidence.changedSince(0)).toEqual([old, young]);
      expect(await evidence.changedSince(NOW + 2)).toEqual([young]);
    });

    test('a newer record replaces one, an older does not', async () => {
      const { evidence } = await newStore();
      await evidence.save([aRecord()]);
      const newer = aRecord({ successes: 2.5, changedAt: NOW + 1 });
      await evidence.save([newer]);
      await evidence.save([aRecord({ successes: 9 })]);
      expect(await evidence.changedSince(0)).toEqual([newer]);
    });

    test('thousands of records fit into one save', async () => {
      const { evidence } = await newStore();
      await evidence.save(Array.from({ length: 2_500 }, (_, number) => aRecord({ query: `q${number}` })));
      expect(await evidence.changedSince(0)).toHaveLength(2_500);
      await evidence.save([]);
    });

    test('records are removed one by one, by age and by key', async () => {
      const { evidence } = await newStore();
      const [first, old, ofB] = [aRecord(), aRecord({ query: 'q2', changedAt: NOW - 1 }), aRecord({ agentKeyId: 'key_b' })];
      const last = aRecord({ query: 'q3', agentKeyId: 'key_c' });
      await evidence.save([first, old, ofB, last]);
      await evidence.remove([first, aRecord({ query: 'unknown' })]);
      await evidence.prune(NOW);
      await evidence.removeKey('key_b');
      expect(await evidence.changedSince(0)).toEqual([last]);
    });

    test('texts are removed, the rest stays', async () => {
      const { evidence } = await newStore();
      await evidence.save([aRecord({ text: 'send mail' })]);
      await evidence.forgetTexts();
      expect(await evidence.changedSince(0)).toEqual([aRecord()]);
      await evidence.forgetTexts();
    });

    test('all callers get the same secret, and a new one after everything was cleared', async () => {
      const { evidence } = await newStore();
      const secrets = await Promise.all([evidence.secret(), evidence.secret()]);
      expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/);
      expect(secrets[1]).toBe(secrets[0]);
      await evidence.save([aRecord()]);
      await evidence.clear();
      expect(await evidence.changedSince(0)).toEqual([]);
      expect(await evidence.secret()).not.toBe(secrets[0]);
    });
  });
}
