import { CompiledQuery } from 'kysely';
import type { EvidenceEngine } from '../sql/evidence';
import type { Atomically } from '../sql/tables';

/** Other writers hold a row for less. */
const SHORT_WAIT = { compile: () => CompiledQuery.raw("SET LOCAL lock_timeout = '100ms'") };

/** @param rewrite makes a new file of the table: what was removed from it leaves the disk with the old one */
export function evidenceEngine(atomically: Atomically, rewrite: () => Promise<void>): EvidenceEngine {
  return {
    updatesErase: true,
    withoutWaiting: (queries) => atomically([SHORT_WAIT, ...queries]),
    async erasing(queries) {
      if (queries.length === 0) return;
      await atomically(queries);
      await rewrite();
    },
  };
}
