/** The cost of a call for its caller: the SDKs beside the same POST of bare httpx2, all in turn. */
import { fileURLToPath } from 'node:url';
import { locateProgram } from '../../scripts/programs.ts';
import { LineProcess } from '../common/line-process.ts';
import { PYTHON_ENVIRONMENT } from '../common/python.ts';
import { spreadOf } from '../common/statistics.ts';
import { formatTable } from '../common/table.ts';
import { perRound } from '../load/comparison.ts';
import { formatSpread } from '../load/report.ts';
import type { CallerJob, CallerResult } from './caller-job.ts';

type Language = 'Python' | 'TypeScript';

/** The first one is the measure of the others. */
const CALLERS: { name: string; language: Language; kind: CallerJob['kind'] }[] = [
  { name: 'bare httpx2', language: 'Python', kind: 'httpx2' },
  { name: 'Python, invoke', language: 'Python', kind: 'invoke' },
  { name: 'Python, call_tool', language: 'Python', kind: 'call_tool' },
  { name: 'TypeScript, invoke', language: 'TypeScript', kind: 'invoke' },
  { name: 'TypeScript, callTool', language: 'TypeScript', kind: 'call_tool' },
];
const WARM_UP_MS = 300;
const FIRST_WARM_UP_MS = 2_000;

export interface CallerFigures {
  name: string;
  rounds: CallerResult[];
}

export async function measureCallers(job: Omit<CallerJob, 'kind' | 'warmUpMs'>, rounds: number): Promise<CallerFigures[]> {
  const callers = CALLERS.map(({ name, language, kind }) => ({ name, kind, process: startCaller(language), rounds: [] as CallerResult[] }));
  for (const { kind, process } of callers) await process.run({ ...job, kind, warmUpMs: FIRST_WARM_UP_MS, measureMs: 100 });
  for (let round = 0; round < rounds; round++) {
    for (const { kind, process, rounds } of callers) rounds.push(await process.run({ ...job, kind, warmUpMs: WARM_UP_MS }));
  }
  await Promise.all(callers.map(({ process }) => process.stop()));
  return callers.map(({ name, rounds }) => ({ name, rounds }));
}

function startCaller(language: Language): LineProcess<CallerJob, CallerResult> {
  return language === 'Python'
    ? new LineProcess(locateProgram('python'), ['-m', 'tests.bench.tools_caller'], PYTHON_ENVIRONMENT)
    : new LineProcess(process.execPath, [fileURLToPath(new URL('tools-caller.ts', import.meta.url))], {});
}

export function formatCallers(callers: CallerFigures[]): string {
  const [bare] = callers;
  const ratio = ({ rounds }: CallerFigures, of: (result: CallerResult) => number) =>
    formatSpread(perRound(rounds.map((result, round) => of(result) / of(bare?.rounds[round] ?? result))));
  const median = ({ rounds }: CallerFigures, of: (result: CallerResult) => number) => spreadOf(rounds.map(of)).median.toFixed(0);
  return formatTable(
    ['a call, for its caller', 'calls/s', 'CPU µs', 'calls/s ratio [quartiles]', 'CPU ratio [quartiles]'],
    callers.map((caller) => [
      caller.name,
      median(caller, ({ perSecond }) => perSecond),
      median(caller, ({ cpuMsPerCall }) => cpuMsPerCall * 1_000),
      ratio(caller, ({ perSecond }) => perSecond),
      ratio(caller, ({ cpuMsPerCall }) => cpuMsPerCall),
    ]),
  );
}
