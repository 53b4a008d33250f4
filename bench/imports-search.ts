/**
 * `npm run imports:search -- [--half dev|kept|both] [--show]`: 60 questions of agents to a service that holds 6,000 imported actions. Prints how often
 * the right action is first, among the first three and the first ten, and the mean reciprocal rank (MRR), for each half of the questions.
 *
 * Needs `npm run build:js`, Python 3 for three of the servers, and 75 MB of documents, which are downloaded once. `--show` lists what each question found.
 */
import { readFileSync } from 'node:fs';
import { Tools } from 'svc-sdk';
import { createService } from 'svc-sdk/service';
import { cacheFolder } from '../scripts/imports/package-files.ts';
import { benchCommand } from './common/command.ts';
import { formatTable } from './common/table.ts';
import { startImports } from './imports/catalogue.ts';
import { figuresOf } from './search-eval/metrics.ts';

interface Question {
  half: 'dev' | 'kept';
  question: string;
  /** Ids of the actions that do it. */
  actions: string[];
}

const HALVES = ['dev', 'kept'] as const;

const { half, show } = benchCommand('npm run imports:search --')
  .option('--half <name>', 'dev, kept or both', 'dev')
  .option('--show', 'list what each question found')
  .parse()
  .opts<{ half: string; show?: true }>();
const questions: Question[] = JSON.parse(readFileSync(new URL('imports/questions.json', import.meta.url), 'utf8'));

const service = await createService({ port: 0, console: false });
const imports = await startImports(service, cacheFolder());
try {
  const unknown = questions.flatMap(({ actions }) => actions.filter((action) => !imports.actions.has(action)));
  if (unknown.length > 0) throw new Error(`No import has ${unknown.join(', ')}`);
  const { key } = await service.keys.create({ kind: 'agent', name: 'imports-search' });
  const tools = new Tools({ baseUrl: service.url, apiKey: key });
  const rows: string[][] = [];
  for (const asked of HALVES.filter((each) => half === each || half === 'both')) rows.push([asked, ...(await ask(tools, asked))]);
  console.log(`${imports.actions.size} actions of ${imports.toolkits} toolkits`);
  console.log(formatTable(['half', 'questions', 'hit@1', 'hit@3', 'hit@10', 'MRR'], rows));
} finally {
  await imports.stop();
  await service.close();
}

async function ask(tools: Tools, asked: Question['half']): Promise<string[]> {
  const ranks: number[] = [];
  const mrr: number[] = [];
  for (const { question, actions } of questions.filter((each) => each.half === asked)) {
    const found = await tools.search(question);
    const ranking = [...found.actions, ...(found.more ?? [])].map(({ action }) => action);
    const rank = ranking.findIndex((action) => actions.includes(action));
    ranks.push(rank);
    mrr.push(figuresOf(ranking, new Set(actions)).mrr);
    if (show) console.log(`${rank + 1 || '-'}  ${question}\n     ${ranking.slice(0, 5).join(' ')}`);
  }
  const within = (count: number) => String(ranks.filter((rank) => rank !== -1 && rank < count).length);
  const mean = mrr.reduce((sum, value) => sum + value, 0) / mrr.length;
  return [String(ranks.length), within(1), within(3), within(10), mean.toFixed(3)];
}
