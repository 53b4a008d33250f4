/** The candidates of the second stage for judged queries, as numbers to learn from. */
import { SearchIndex } from '../../service/src/catalog/search/index.ts';
import type { Catalogue } from '../search-eval/questions.ts';

/** One query whose answer is among its candidates. */
export interface JudgedList {
  src: string;
  /** Features of each candidate in the order of `FEATURES`, one candidate after the other. */
  rows: Float64Array;
  relevant: boolean[];
  /** Number of relevant actions, found or not. */
  wanted: number;
}

export function judgedLists(catalogues: readonly Catalogue[]): JudgedList[] {
  return catalogues.flatMap(({ documents, questions }) => {
    const index = new SearchIndex();
    for (const document of documents) index.upsert(document);
    return questions.map(({ src, query, relevant }) => {
      const { ids, features } = index.candidates(query);
      return { src, rows: features, relevant: ids.map((id) => relevant.has(id)), wanted: relevant.size };
    });
  });
}
