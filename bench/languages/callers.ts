/** The cost of a call for its caller: each SDK beside the same POST of the HTTP client below it, all in turn. */
import { goalLine } from '../common/goal.ts';
import { type Language, titleOf } from '../common/language.ts';
import { spreadOf } from '../common/statistics.ts';
import { formatTable } from '../common/table.ts';
import { perRound, type RoundSpread } from '../load/comparison.ts';
import { formatSpread } from '../load/report.ts';
import type { CallerJob, CallerResult } from './caller-job.ts';
import type { StagedLanguage } from './stage.ts';

type Kind = CallerJob['kind'];

/** The bare client is the measure of the others. */
const NAMES = {
  ts: { bare: 'fetch', invoke: 'invoke', call_tool: 'callTool' },
  python: { bare: 'httpx2', invoke: 'invoke', call_tool: 'call_tool', sync_invoke: 'invoke of SyncTools' },
  rust: { bare: 'reqwest', invoke: 'invoke', call_tool: 'call' },
} as const satisfies Record<Language, Partial<Record<Kind, string>>>;
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
    (Object.keys(NAMES[language]) as Kind[]).map((kind) => ({ language, kind, process: startCaller(), rounds: [] as CallerResult[] })),
  );
  for (const { kind, process } of callers) await process.run({ ...job, kind, warmUpMs: FIRST_WARM_UP_MS, measureMs: 100 });
  for (let round = 0; round < rounds; round++) {
    for (const { kind, process, rounds } of callers) rounds.push(await process.run({ ...job, kind, warmUpMs: WARM_UP_MS }));
  }
  await Promise.all(callers.map(({ process }) => process.stop()));
  return callers.map(({ language, kind, rounds }) => ({ language, kind, rounds }));
}

/** Processor time of a call of a model to that of the bare client. */
const MOST_OF_BARE: Partial<Record<Language, number>> = { ts: 1.3, rust: 1.4 };

/** One line for each language that has a goal. */
export function callerGoals(callers: CallerFigures[]): string[] {
  return callers.flatMap((caller) => {
    const most = caller.kind === 'call_tool' ? MOST_OF_BARE[caller.language] : undefined;
    if (most === undefined) return [];
    const ratio = ratioToBare(callers, caller, ({ cpuMsPerCall }) => cpuMsPerCall);
    const { bare, call_tool } = NAMES[caller.language];
    return goalLine(
      ratio.median <= most,
      `${titleOf(caller.language)}, ${call_tool}, at most ${most} times the CPU of ${bare}: ${formatSpread(ratio)}`,
    );
  });
}

function ratioToBare(callers: CallerFigures[], { language, rounds }: CallerFigures, of: (result: CallerResult) => number): RoundSpread {
  const bare = callers.find((caller) => caller.language === language && caller.kind === 'bare');
  return perRound(rounds.map((result, round) => of(result) / of(bare?.rounds[round] ?? result)));
}

function nameOf({ language, kind }: CallerFigures): string | undefined {
  const names: Partial<Record<Kind, string>> = NAMES[language];
  return names[kind];
}

export function formatCallers(callers: CallerFigures[]): string {
  const ratio = (caller: CallerFigures, of: (result: CallerResult) => number) => formatSpread(ratioToBare(callers, caller, of));
  const median = ({ rounds }: CallerFigures, of: (result: CallerResult) => number) => spreadOf(rounds.map(of)).median.toFixed(0);
  return formatTable(
    ['a call, for its caller', 'calls/s', 'CPU µs', 'calls/s ratio [quartiles]', 'CPU ratio [quartiles]'],
    callers.map((caller) => [
      `${titleOf(caller.language)}, ${nameOf(caller)}`,
      median(caller, ({ perSecond }) => perSecond),
      median(caller, ({ cpuMsPerCall }) => cpuMsPerCall * 1_000),
      ratio(caller, ({ perSecond }) => perSecond),
      ratio(caller, ({ cpuMsPerCall }) => cpuMsPerCall),
    ]),
  );
}
