import { requireSqlite } from '../../require-sqlite';
import { fileIn, requireStore } from '../open-store';
import { openSqliteSource, openSqliteTarget } from '../sqlite/transfer';
import type { Source } from './source';
import type { Target } from './target';

export type DataPlace = string;

export async function openSource(place: DataPlace): Promise<Source> {
  requireSqlite();
  return openSqliteSource(requireStore(place));
}

export async function openTarget(place: DataPlace): Promise<Target> {
  requireSqlite();
  return openSqliteTarget(fileIn(place));
}
