/** Opens data to export, and data to import into. The engine is loaded on first use. */
import { type DataPlace, existingFileIn, fileIn, requireSqlite } from '../location';
import type { Source } from './source';
import type { Target } from './target';

export async function openTransferSource(place: DataPlace): Promise<Source> {
  if (typeof place !== 'string') {
    const { openPostgresSource } = await import('../postgres/transfer');
    return openPostgresSource(place.database);
  }
  requireSqlite();
  const { openSqliteSource } = await import('../sqlite/transfer');
  return openSqliteSource(existingFileIn(place));
}

export async function openTarget(place: DataPlace): Promise<Target> {
  if (typeof place !== 'string') {
    const { openPostgresTarget } = await import('../postgres/transfer');
    return openPostgresTarget(place.database);
  }
  requireSqlite();
  const { openSqliteTarget } = await import('../sqlite/transfer');
  return openSqliteTarget(fileIn(place));
}
