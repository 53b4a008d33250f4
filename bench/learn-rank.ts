/**
 * `npm run learn:rank -- --actions FILE… --toolkits FILE… --queries FILE… [--split log] [--judge dev] [--catalogue bench] [--out FILE]`: learns the
 * weights of the second stage of search from queries with known answers, and measures them on sources that they were not learned from.
 * bench/README.md explains the figures.
 *
 * Errors: exit 1 with a sentence for a file that cannot be read.
 */
import { writeFileSync } from 'node:fs';
import { DEFAULT_RANK_WEIGHTS, FEATURES, type RankWeights, WORDS_ALONE } from '../service/src/catalog/search/index.ts';
import { formatTable } from './common/table.ts';
import { fitWeights, sumOf } from './learn-rank/fit.ts';
import { type JudgedList, judgedLists } from './learn-rank/judged-lists.ts';
import { readLearnOptions } from './learn-rank/options.ts';
import { endOnBadInput } from './retrieval/bad-input.ts';
import { readFiles } from './retrieval/files.ts';
import { figuresOf } from './search-eval/metrics.ts';
import { cataloguesOf, chooseQuestions } from './search-eval/questions.ts';

const DIGITS = 2;

await endOnBadInput(async () => {
  const options = readLearnOptions(process.argv.slice(2));
  const { entries, lines } = readFiles(options);
  const listsOf = (split: string) => {
    const { questions, notes } = chooseQuestions(lines, split, entries);
    for (const note of notes) console.log(`note: ${note}`);
    return judgedLists(cataloguesOf(options.catalogue, { entries, questions, lines }));
  };
  const lessons = listsOf(options.split);
  const exam = options.judge === options.split ? lessons : listsOf(options.judge);

  const learned = rounded(fitWeights(lessons, DEFAULT_RANK_WEIGHTS));
  const sources = [...new Set(exam.map(({ src }) => src))].sort();
  const rows = sources.map((src) => {
    const others = rounded(
      fitWeights(
        lessons.filter((list) => list.src !== src),
        DEFAULT_RANK_WEIGHTS,
      ),
    );
    const own = exam.filter((list) => list.src === src);
    return {
      src,
      queries: own.length,
      figures: [WORDS_ALONE, DEFAULT_RANK_WEIGHTS, others, learned].map((weights) => meanNdcg(own, weights)),
    };
  });
  const means = [0, 1, 2, 3].map((column) => rows.reduce((sum, { figures }) => sum + (figures[column] as number), 0) / rows.length);
  const cells = ({ src, queries, figures }: { src: string; queries: number; figures: number[] }) => [
    src,
    String(queries),
    ...figures.map((figure) => figure.toFixed(3)),
  ];
  const total = { src: 'mean over sources', queries: exam.length, figures: means };
  const head = ['nDCG@10', 'queries', 'words alone', 'default weights', 'learned without it', 'learned'];
  console.log(`\n${formatTable(head, [...rows, total].map(cells))}\n\n${JSON.stringify(learned)}`);
  if (options.out !== undefined) writeFileSync(options.out, `${JSON.stringify(learned, null, 2)}\n`);
});

function meanNdcg(lists: readonly JudgedList[], weights: RankWeights): number {
  const numbers = FEATURES.map((feature) => weights[feature]);
  const sum = lists.reduce((total, { rows, relevant, wanted }) => {
    const order = relevant.map((_, candidate) => candidate).sort((a, b) => sumOf(rows, b, numbers) - sumOf(rows, a, numbers));
    const missing = Array.from({ length: wanted - relevant.filter(Boolean).length }, (_, i) => `missing ${i}`);
    const right = new Set([...relevant.flatMap((is, candidate) => (is ? [String(candidate)] : [])), ...missing]);
    return total + figuresOf(order.map(String), right).ndcg10;
  }, 0);
  return sum / lists.length;
}

function rounded(weights: RankWeights): RankWeights {
  return Object.fromEntries(FEATURES.map((feature) => [feature, Number(weights[feature].toFixed(DIGITS))])) as unknown as RankWeights;
}
