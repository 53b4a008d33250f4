/**
 * The requested number of actions, made of the real ones: fewer by leaving out, more by mixing.
 *
 * Shape:  a made action has the name and the payload of one real action, a toolkit of its own beside the real one's, and a description whose
 *         second half is another action's. No new words come, so that the lists of the words grow with the catalogue, which is the slow case.
 */
import { createHash } from 'node:crypto';
import type { SearchDocument } from '../../service/src/catalog/search/index.ts';
import { LegalIds } from '../retrieval/legal-ids.ts';

/** The first are spread over all sources. The same in every run. */
export function* documentsUpTo(count: number, real: readonly SearchDocument[]): Generator<SearchDocument> {
  const shuffled = real.map((document) => ({ document, order: orderOf(document.id) })).sort((a, b) => (a.order < b.order ? -1 : 1));
  const documents = shuffled.map(({ document }) => document);
  yield* documents.slice(0, count);
  const ids = new LegalIds();
  for (let made = documents.length; made < count; made++) {
    const round = Math.floor(made / documents.length);
    const own = documents[made % documents.length] as SearchDocument;
    const other = documents[(made * 7 + round) % documents.length] as SearchDocument;
    const toolkitId = `${own.toolkitId.slice(0, 26)}-${round + 1}`;
    const description = [...halves(own.description)[0], ...halves(other.description)[1]].join(' ');
    yield { ...own, id: ids.action(toolkitId, own.name), toolkitId, toolkitName: `${own.toolkitName} ${round + 1}`, description };
  }
}

/** The shard of a toolkit. */
export function shardOf(toolkitId: string, shards: number): number {
  return Number.parseInt(orderOf(toolkitId).slice(0, 8), 16) % shards;
}

function orderOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

function halves(text: string): [string[], string[]] {
  const words = text.split(' ');
  const middle = Math.ceil(words.length / 2);
  return [words.slice(0, middle), words.slice(middle)];
}
