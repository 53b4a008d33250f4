/** The queries of one run and the catalogues to search. */
import { BadInput } from '../retrieval/bad-input.ts';
import { type Entry, keyOf } from '../retrieval/entries.ts';
import type { QueryLine } from '../retrieval/lines.ts';
import type { CatalogueChoice } from './options.ts';

const MAX_QUERIES_PER_SOURCE = 1_000;

export interface Question {
  qid: string;
  src: string;
  query: string;
  /** Action ids of the catalogue; of an action that is not there a name that no result has. */
  relevant: ReadonlySet<string>;
}

export interface Questions {
  /** Questions sorted by source and qid. */
  questions: Question[];
  /** Notes on the files for the reader. */
  notes: string[];
}

/** Questions: at most 1,000 of each source, lowest qid first. Throws BadInput when none is left. */
export function chooseQuestions(lines: readonly QueryLine[], split: string, entries: readonly Entry[]): Questions {
  const asked = lines.filter((line) => line.split === undefined || line.split === split);
  const unique = new Map(asked.map((line) => [keyOf(line.src, line.qid), line]));
  const answered = [...unique.values()].filter(({ relevant }) => relevant.length > 0);
  if (answered.length === 0) throw new BadInput(`No query of the split "${split}" names a relevant action; there are ${splitsOf(lines)}`);
  const idOf = idFinder(entries);
  const notes: string[] = [];
  const note = (count: number, what: string) => {
    if (count > 0) notes.push(`${count} ${what}`);
  };
  note(asked.length - unique.size, 'queries stand in the files more than once, and count once');
  note(unique.size - answered.length, 'queries name no relevant action, and are left out');
  const chosen = firstOfEachSource(answered, MAX_QUERIES_PER_SOURCE);
  const missing = new Set<string>();
  const questions = chosen.map(({ qid, src, query, relevant }) => {
    const ids = relevant.map((sourceId) => {
      const id = idOf(src, sourceId);
      if (id === undefined) missing.add(keyOf(src, sourceId));
      return id ?? `not there: ${sourceId}`;
    });
    return { qid, src, query, relevant: new Set(ids) };
  });
  note(missing.size, 'relevant actions are in no file, and count as not found');
  return { questions, notes };
}

/** The first `most` queries of each source, sorted by source and qid. */
export function firstOfEachSource<Asked extends { src: string; qid: string }>(queries: readonly Asked[], most: number): Asked[] {
  const sources = Object.entries(Object.groupBy(queries, ({ src }) => src)).sort(([a], [b]) => compare(a, b));
  return sources.flatMap(([, all = []]) => all.toSorted((a, b) => compare(a.qid, b.qid)).slice(0, most));
}

/** An id is the action of the query's source, or else the first of any source. */
export function idFinder(entries: readonly Entry[]): (src: string, sourceId: string) => string | undefined {
  const own = new Map(entries.map(({ src, sourceId, document }) => [keyOf(src, sourceId), document.id]));
  const any = new Map(entries.toReversed().map(({ sourceId, document }) => [sourceId, document.id]));
  return (src, sourceId) => own.get(keyOf(src, sourceId)) ?? any.get(sourceId);
}

export interface Catalogue {
  documents: Entry['document'][];
  questions: Question[];
}

/** `own` makes one catalogue of each source with queries. Throws BadInput when there is nothing to search. */
export function cataloguesOf(
  choice: CatalogueChoice,
  { entries, questions, lines }: { entries: readonly Entry[]; questions: Question[]; lines: readonly QueryLine[] },
): Catalogue[] {
  const documentsOf = (sources: ReadonlySet<string>) => entries.filter(({ src }) => sources.has(src)).map(({ document }) => document);
  const catalogues = {
    own: () =>
      Object.entries(Object.groupBy(questions, ({ src }) => src)).map(([src, own = []]) => ({
        documents: documentsOf(new Set([src])),
        questions: own,
      })),
    bench: () => [{ documents: documentsOf(new Set(lines.map(({ src }) => src))), questions }],
    all: () => [{ documents: entries.map(({ document }) => document), questions }],
  }[choice]();
  if (catalogues.some(({ documents }) => documents.length > 0)) return catalogues;
  throw new BadInput('No action is of a source that has queries; search with --catalogue all');
}

function splitsOf(lines: readonly QueryLine[]): string {
  const splits = new Set(lines.map(({ split }) => (split === undefined ? 'queries without a split' : `"${split}"`)));
  return [...splits].sort(compare).join(', ');
}

/** Not `localeCompare`: the order must be the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
