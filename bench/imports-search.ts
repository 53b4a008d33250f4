/**
 * `npm run imports:search -- [--half dev|kept|both] [--show] [--no-described] [--embeddings-url URL] [--embeddings-model NAME]`: 60 questions of agents to the search of a
 * service that holds 6,000 imported actions. Prints how often the right action is first, among the first three and the first ten, and the mean
 * reciprocal rank (MRR), for each half of the questions; by words, and by meaning too with an embedding server.
 *
 * Needs `npm run build:js`, Python 3 for three of the servers, and 75 MB of documents, which are downloaded once. `--show` lists what each question found.
 */
import { readFileSync } from 'node:fs';
import { createService } from 'svc-service';
import { cacheFolder } from '../scripts/imports/package-files.ts';
import { benchCommand } from './common/command.ts';
import { formatTable } from './common/table.ts';
import { startImports } from './imports/catalogue.ts';
import { documentsOf } from './imports/documents.ts';
import { type EmbeddingsFlags, meaningsOf, withEmbeddings } from './search-eval/meaning.ts';
import { figuresOf } from './search-eval/metrics.ts';
import { buildSvcIndex } from './search-eval/svc-index.ts';

interface Question {
  half: 'dev' | 'kept';
  question: string;
  /** Ids of the actions that do it. */
  actions: string[];
}

const HALVES = ['dev', 'kept'] as const;

const { half, show, described, ...embeddings } = withEmbeddings(benchCommand('npm run imports:search --'))
  .option('--half <name>', 'dev, kept or both', 'dev')
  .option('--show', 'list what each question found')
  .option('--no-described', 'without the descriptions of examples/describe')
  .parse()
  .opts<{ half: string; show?: true; described: boolean } & EmbeddingsFlags>();
const asked = HALVES.filter((each) => half === each || half === 'both');
const all: Question[] = JSON.parse(readFileSync(new URL('imports/questions.json', import.meta.url), 'utf8'));
const questions = all.filter((one) => asked.includes(one.half)).map((one) => ({ ...one, query: one.question }));

const { documents, toolkits } = await importAll();
const held = new Set(documents.map(({ id }) => id));
const unknown = all.flatMap(({ actions }) => actions.filter((action) => !held.has(action)));
if (unknown.length > 0) throw new Error(`No import has ${unknown.join(', ')}`);
console.log(`${documents.length} actions of ${toolkits} toolkits`);

const index = buildSvcIndex(documents);
const rows = asked.map((each) => measure('words', each));
const [meaningOf] = (await meaningsOf([{ documents, questions }], embeddings)) ?? [];
if (meaningOf) {
  index.embed(meaningOf);
  rows.push(...asked.map((each) => measure('with embeddings', each)));
}
console.log(formatTable(['search by', 'half', 'questions', 'hit@1', 'hit@3', 'hit@10', 'MRR'], rows));

async function importAll() {
  const service = await createService({ port: 0, console: false });
  const imports = await startImports(service, { cache: cacheFolder(), described });
  try {
    const { key } = await service.keys.create({ kind: 'agent', name: 'imports-search' });
    return { documents: await documentsOf(service.url, key), toolkits: imports.toolkits };
  } finally {
    await imports.stop();
    await service.close();
  }
}

function measure(name: string, part: Question['half']): string[] {
  const ranks: number[] = [];
  const mrr: number[] = [];
  for (const { query, actions } of questions.filter((each) => each.half === part)) {
    const ranking = index.search(query);
    const rank = ranking.findIndex((action) => actions.includes(action));
    ranks.push(rank);
    mrr.push(figuresOf(ranking, new Set(actions)).mrr);
    if (show) console.log(`${rank + 1 || '-'}  ${query}\n     ${ranking.slice(0, 5).join(' ')}`);
  }
  const within = (count: number) => String(ranks.filter((rank) => rank !== -1 && rank < count).length);
  const mean = mrr.reduce((sum, value) => sum + value, 0) / mrr.length;
  return [name, part, String(ranks.length), within(1), within(3), within(10), mean.toFixed(3)];
}
