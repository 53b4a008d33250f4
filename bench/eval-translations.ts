/**
 * `npm run eval:translations -- --actions FILE… --toolkits FILE… [--catalogue bench|all] [--embeddings-url URL] [--embeddings-model NAME]`: the same
 * queries in several languages, over one English catalogue. bench/README.md explains the figures.
 *
 * Errors: exit 1 with a sentence for a file that cannot be read.
 */
import { fileURLToPath } from 'node:url';
import { Option } from 'commander';
import { benchCommand } from './common/command.ts';
import { formatTable } from './common/table.ts';
import { endOnBadInput } from './retrieval/bad-input.ts';
import { type Files, readFiles, withCatalogue } from './retrieval/files.ts';
import { evaluate } from './search-eval/evaluate.ts';
import { type EmbeddingsFlags, meaningsOf, withEmbeddings } from './search-eval/meaning.ts';
import { cataloguesOf, chooseQuestions, type Question } from './search-eval/questions.ts';
import { buildSvcIndex } from './search-eval/svc-index.ts';

const TRANSLATIONS = fileURLToPath(new URL('search-eval/translations.jsonl', import.meta.url));

await endOnBadInput(main);

async function main(): Promise<void> {
  const { catalogue: choice, ...options } = withEmbeddings(withCatalogue(benchCommand('npm run eval:translations --')))
    .option('--queries <file...>', 'queries, each with its language as split', [TRANSLATIONS])
    .addOption(new Option('--catalogue <name>', 'as in eval:search').choices(['bench', 'all']).default('bench'))
    .parse()
    .opts<Files & EmbeddingsFlags & { catalogue: 'bench' | 'all' }>();
  const { entries, lines } = readFiles(options);
  const languages = [...new Set(lines.map(({ split }) => split ?? ''))];
  const questions = languages.map((language) => chooseQuestions(lines, language, entries).questions);
  const catalogues = cataloguesOf(choice, { entries, questions: questions.flat(), lines });
  const meanings = await meaningsOf(catalogues, options);
  const [{ documents }] = catalogues as [(typeof catalogues)[0]];
  const system = buildSvcIndex(documents);
  const cellsOf = (asked: Question[]) => {
    const { ndcg10, recall10, intervals } = evaluate([{ system, questions: asked }]).pooled;
    return [ndcg10.toFixed(3), intervals.ndcg10.map((end) => end.toFixed(3)).join('-'), recall10.toFixed(3)];
  };
  const words = questions.map(cellsOf);
  system.embed(meanings?.[0]);
  const both = meanings ? questions.map(cellsOf) : [];
  const rows = languages.map((language, place) => [
    language,
    String(questions[place]?.length),
    ...(words[place] ?? []),
    ...(both[place] ?? []),
  ]);
  const figures = (name: string) => [`${name} nDCG@10`, '95 %', 'R@10'];
  console.log(`${documents.length} actions`);
  console.log(formatTable(['language', 'queries', ...figures('words'), ...(meanings ? figures('with embeddings') : [])], rows));
}
