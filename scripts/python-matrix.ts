/** `npm run matrix:python`: runs the contract of the adapters in Python and prints adapter × scenario, and the reason of each `-`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { matrixTable } from './matrix-table.ts';
import { ENVIRONMENTS, testsOf } from './python-environments.ts';
import { findPython, prepareFrameworks, prepareTools, runStatus } from './run-python.ts';

interface Line {
  driver: string;
  requirement: string;
  status: string;
  reason: string | null;
}

const python = findPython();
const tools = prepareTools(python);
const lines = ENVIRONMENTS.flatMap((environment) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sdk-matrix-'));
  const report = join(folder, 'report.json');
  try {
    const tests = environment.adapters.flatMap(testsOf);
    const pytest = join(prepareFrameworks(python, tools, environment), 'pytest');
    process.exitCode = runStatus(pytest, '-qq', '--no-summary', '-k', 'contract', '--matrix', report, ...tests) || process.exitCode;
    return JSON.parse(readFileSync(report, 'utf8')) as Line[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
console.log(matrixTable(lines.map(({ driver, requirement, status }) => ({ column: driver, scenario: requirement, status }))));
const reasons = lines.flatMap(({ driver, reason }) => (reason === null ? [] : [`${driver}: ${reason}`]));
console.log(['', ...[...new Set(reasons)].sort()].join('\n'));
