/** The cost of a call for its caller: each SDK beside the same POST of the HTTP client below it, all in turn. */
import { type Language, titleOf } from '../common/language.ts';
import { spreadOf } from '../common/statistics.ts';
import { formatTable } from '../common/table.ts';
import { perRound } from '../load/comparison.ts';
import { formatSpread } from '../load/report.ts';
import type { CallerJob, CallerResult } from './caller-job.ts';
import type { StagedLanguage } from './stage.ts';

type Kind = CallerJob['kind'];

/** The first one is the measure of the others. */
const KINDS: readonly Kind[] = ['bare', 'invoke', 'call_tool'];
const NAMES: Readonly<Record<Language, Record<Kind, string>>> = {
  ts: { bare: 'fetch', invoke: 'invoke', call_tool: 'callTool' },
  python: { bare: 'httpx2', invoke: 'invoke', call_tool: 'call_tool' },
  rust: { bare: 'reqwest', invoke: 'invoke', call_tool: 'call' },
};
const WARM_UP_MS = 300;
const FIRST_WARM_UP_MS = 2_000;

export interface CallerFigures {
  language: Language;
  kind: Kind;
  rounds: CallerResult[];
}

export async function measureCallers(
  languages: readonly StagedLanguage[],
  job: Omit<CallerJob, 'kind' | 'warmUpMs'>,
  rounds: number,
): Promise<CallerFigures[]> {
  const callers = languages.flatMap(({ language, startCaller }) =>
    KINDS.map((kind) => ({ language, kind, process: startCaller(), rounds: [] as CallerResult[] })),
  );
  for (const { kind, process } of callers) await process.run({ ...job, kind, warmUpMs: FIRST_WARM_UP_MS, measureMs: 100 });
  for (let round = 0; round < rounds; round++) {
    for (const { kind, process, rounds } of callers) rounds.push(await process.run({ ...job, kind, warmUpMs: WARM_UP_MS }));
  }
  await Promise.all(callers.map(({ process }) => process.stop()));
  return callers.map(({ language, kind, rounds }) => ({ language, kind, rounds }));
}

export function formatCallers(callers: CallerFigures[]): string {
  const ratio = ({ language, rounds }: CallerFigures, of: (result: CallerResult) => number) => {
    const bare = callers.find((caller) => caller.language === language && caller.kind === 'bare');
    return formatSpread(perRound(rounds.map((result, round) => of(result) / of(bare?.rounds[round] ?? result))));
  };
  const median = ({ rounds }: CallerFigures, of: (result: CallerResult) => number) => spreadOf(rounds.map(of)).median.toFixed(0);
  return formatTable(
    ['a call, for its caller', 'calls/s', 'CPU µs', 'calls/s ratio [quartiles]', 'CPU ratio [quartiles]'],
    callers.map((caller) => [
      `${titleOf(caller.language)}, ${NAMES[caller.language][caller.kind]}`,
      median(caller, ({ perSecond }) => perSecond),
      median(caller, ({ cpuMsPerCall }) => cpuMsPerCall * 1_000),
      ratio(caller, ({ perSecond }) => perSecond),
      ratio(caller, ({ cpuMsPerCall }) => cpuMsPerCall),
    ]),
  );
}
