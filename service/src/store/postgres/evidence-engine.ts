/** Writes of evidence on PostgreSQL: without waiting for another node, and leaving nothing that was removed on the disk. */
import { CompiledQuery, type Kysely } from 'kysely';
import type { EvidenceEngine } from '../sql/evidence';
import type { Atomically, Tables } from '../sql/tables';

/** Other writers lock a row for less than this time. */
const SHORT_WAIT = { compile: () => CompiledQuery.raw("SET LOCAL lock_timeout = '100ms'") };

/** @param rewrite writes the table to a new file; removed rows disappear from the disk with the old file */
export function postgresEvidenceEngine(db: Kysely<Tables>, atomically: Atomically, rewrite: () => Promise<void>): EvidenceEngine {
  return {
    removeTexts: async () => [db.updateTable('evidence').set({ text: null }).where('text', 'is not', null)],
    withoutWaiting: (queries) => atomically([SHORT_WAIT, ...queries]),
    async erasing(queries) {
      if (queries.length === 0) return;
      await atomically(queries);
      await rewrite();
    },
  };
}
