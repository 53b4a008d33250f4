/**
 * `npm run imports:words -- [--show]`: the files of `examples/describe` with the real documents. Each names only actions that its document has, and the
 * questions of `bench/imports/api-questions.json` find their actions among all operations of those APIs.
 *
 * Needs `npm run build:js`. Downloads 75 MB of documents once, into the cache of the user. Exits with 1 when a name is unknown, or when less is found.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatTable } from '../bench/common/table.ts';
import { figuresOf } from '../bench/search-eval/metrics.ts';
import { buildSvcIndex } from '../bench/search-eval/svc-index.ts';
import { readDescriptions } from '../service/import/described-actions.ts';
import { importOpenapi } from '../service/import/openapi/import-openapi.ts';
import type { SearchDocument } from '../service/src/catalog/search/index.ts';
import { cacheFolder } from './imports/package-files.ts';
import { realDocuments } from './imports/real-documents.ts';

/** Below what is measured by the share of two questions. */
const LEAST = { mrr: 0.89, hit1: 84 };
const FOLDER = fileURLToPath(new URL('../examples/describe/', import.meta.url));

interface Question {
  question: string;
  /** Ids of the actions that do it. */
  actions: string[];
}

const questions: Question[] = JSON.parse(readFileSync(new URL('../bench/imports/api-questions.json', import.meta.url), 'utf8'));
const ids = readdirSync(FOLDER).map((file) => basename(file, '.yaml'));
const bare: SearchDocument[] = [];
const described: SearchDocument[] = [];
for (const [id, document] of realDocuments(cacheFolder(), ids)) {
  const options = { toolkitId: id, baseUrl: 'https://api.example.com' };
  bare.push(...documentsOf(id, importOpenapi(document, options)));
  // Throws for a name that the document does not have.
  described.push(...documentsOf(id, importOpenapi(document, { ...options, describe: await readDescriptions(`${id}.yaml`, FOLDER) })));
}

const results = [
  { name: 'without', ...measure(bare) },
  { name: 'with', ...measure(described, process.argv.includes('--show')) },
];
const head = [`examples/describe, ${described.length} actions`, 'questions', 'hit@1', 'hit@3', 'hit@5', 'hit@10', 'MRR'];
console.log(
  formatTable(
    head,
    results.map(({ name, ranks, mrr }) => [
      name,
      String(ranks.length),
      ...[1, 3, 5, 10].map((most) => String(within(ranks, most))),
      mrr.toFixed(3),
    ]),
  ),
);
const [, found] = results;
if (!found || found.mrr < LEAST.mrr || within(found.ranks, 1) < LEAST.hit1) process.exitCode = 1;

function documentsOf(id: string, { toolkit, actions }: ReturnType<typeof importOpenapi>): SearchDocument[] {
  return actions.map(({ action, actionDescription, payloadDescription, annotations }) => ({
    id: `${id}__${action}`,
    toolkitId: id,
    toolkitName: toolkit.name,
    toolkitDescription: toolkit.description,
    name: action,
    description: actionDescription,
    payloadSchema: payloadDescription,
    annotations,
  }));
}

function measure(documents: readonly SearchDocument[], show = false): { ranks: number[]; mrr: number } {
  const index = buildSvcIndex(documents);
  const rankings = questions.map(({ question }) => index.search(question));
  const ranks = questions.map(({ actions }, place) => (rankings[place] ?? []).findIndex((action) => actions.includes(action)));
  if (show)
    for (const [place, { question }] of questions.entries())
      if (ranks[place] !== 0)
        console.log(`${(ranks[place] ?? -1) + 1 || '-'}  ${question}\n     ${rankings[place]?.slice(0, 5).join(' ')}`);
  const mrr = questions.reduce((sum, { actions }, place) => sum + figuresOf(rankings[place] ?? [], new Set(actions)).mrr, 0);
  return { ranks, mrr: mrr / questions.length };
}

function within(ranks: readonly number[], most: number): number {
  return ranks.filter((rank) => rank !== -1 && rank < most).length;
}
