/**
 * `npm run matrix`: runs the contract of the adapters and prints entry × version × scenario.
 * `npm run matrix -- --write` also writes the table of versions into the pages that have one, when everything passed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { versionsTable } from './frameworks.ts';

const PAGES = ['README.md', 'docs/adapters.md'];
const BLOCK = /(<!-- versions -->\n)[\s\S]*?(<!-- \/versions -->)/;
const SIGNS: Record<string, string> = { passed: 'ok', skipped: '-', pending: '-', failed: 'NO' };

interface Assertion {
  ancestorTitles: string[];
  title: string;
  status: string;
}

const root = fileURLToPath(new URL('../', import.meta.url));
const { assertions, passed } = runContract();
console.log(scenarioTable(assertions));
if (!passed) process.exitCode = 1;
else if (process.argv.includes('--write')) PAGES.forEach(writeVersions);

function runContract(): { assertions: Assertion[]; passed: boolean } {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sdk-matrix-'));
  const report = join(folder, 'report.json');
  try {
    const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
    const args = [vitest, 'run', 'test/contract/adapters', '--reporter=json', `--outputFile=${report}`];
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: { assertionResults: Assertion[] }[] };
    return { assertions: testResults.flatMap(({ assertionResults }) => assertionResults), passed: status === 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One row a scenario, one column an entry and version: `-` where the framework cannot do it at all. */
function scenarioTable(all: Assertion[]): string {
  const contract = all.filter(({ ancestorTitles }) => ancestorTitles[0]?.startsWith('svc-sdk/'));
  const columns = [...new Set(contract.map(({ ancestorTitles }) => String(ancestorTitles[0])))].sort();
  const scenarioOf = ({ ancestorTitles, title }: Assertion) => [...ancestorTitles.slice(1), title].join(': ');
  const scenarios = [...new Set(contract.map(scenarioOf))];
  const sign = new Map(contract.map((assertion) => [`${assertion.ancestorTitles[0]}\n${scenarioOf(assertion)}`, SIGNS[assertion.status]]));
  const line = (cells: string[], words: string) => [...cells.map((cell) => cell.padStart(3)), ' ', words].join('');
  return [
    ...columns.map((column, index) => `${String(index + 1).padStart(3)} ${column}`),
    '',
    line(
      columns.map((_, index) => String(index + 1)),
      'scenario',
    ),
    ...scenarios.map((scenario) =>
      line(
        columns.map((column) => sign.get(`${column}\n${scenario}`) ?? ''),
        scenario,
      ),
    ),
  ].join('\n');
}

function writeVersions(page: string): void {
  const path = join(root, page);
  const text = readFileSync(path, 'utf8');
  if (!BLOCK.test(text)) throw new Error(`${page} has no <!-- versions --> block`);
  writeFileSync(path, text.replace(BLOCK, `$1${versionsTable()}\n$2`));
}
