import { fileIn, requireStore } from '../open-store';
import { openSqliteSource, openSqliteTarget } from '../sqlite/transfer';
import type { Source } from './source';
import type { Target } from './target';

/** Where data are. */
export interface DataPlace {
  /** Directory. */
  data: string;
}

export function openSource({ data }: DataPlace): Promise<Source> {
  return openSqliteSource(requireStore(data));
}

export function openTarget({ data }: DataPlace): Promise<Target> {
  return openSqliteTarget(fileIn(data));
}
