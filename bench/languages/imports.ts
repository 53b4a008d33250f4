/** The processor time of imports of the Python SDK, in a process that imports nothing else. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { locateProgram } from '../../scripts/programs.ts';
import { PYTHON_ENVIRONMENT } from '../common/python.ts';
import { spreadOf } from '../common/statistics.ts';
import { formatTable } from '../common/table.ts';

const IMPORTS: { statement: string; goalMs?: number }[] = [
  { statement: 'import svc', goalMs: 15 },
  { statement: 'from svc import Tools', goalMs: 90 },
  { statement: 'from svc import Toolkit' },
  { statement: 'import asyncio' },
];

export interface ImportFigures {
  statement: string;
  goalMs?: number;
  cpuMs: number[];
}

export async function measureImports(rounds: number): Promise<ImportFigures[]> {
  const figures: ImportFigures[] = IMPORTS.map((each) => ({ ...each, cpuMs: [] }));
  // Round 0 compiles the modules; it does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const { statement, cpuMs } of figures) {
      const program = `import time; before = time.process_time(); ${statement}; print((time.process_time() - before) * 1000)`;
      const { stdout } = await promisify(execFile)(locateProgram('python'), ['-c', program], {
        env: { ...process.env, ...PYTHON_ENVIRONMENT },
      });
      if (round > 0) cpuMs.push(Number(stdout));
    }
  }
  return figures;
}

/** The least counts: other load on the machine makes the others worse. */
export function formatImports(figures: ImportFigures[]): string {
  return formatTable(
    ['CPU ms of an import', 'min', 'median', 'goal'],
    figures.map(({ statement, goalMs, cpuMs }) => {
      const { min, median } = spreadOf(cpuMs);
      const goal = goalMs === undefined ? '' : `${goalMs}: ${min <= goalMs ? 'met' : 'missed'}`;
      return [statement, min.toFixed(1), median.toFixed(1), goal];
    }),
  );
}
