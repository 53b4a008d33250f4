/**
 * `npm run matrix`: runs the contract of the adapters and prints entry × version × scenario.
 * `npm run matrix -- --write` also writes the table of versions into docs/adapters.md, when everything passed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { versionsTable } from './frameworks.ts';
import { matrixTable } from './matrix-table.ts';

const PAGE = 'docs/adapters.md';
const BLOCK = /(<!-- versions -->\n)[\s\S]*?(<!-- \/versions -->)/;

interface Assertion {
  ancestorTitles: string[];
  title: string;
  status: string;
}

const root = fileURLToPath(new URL('../', import.meta.url));
const { assertions, passed } = runContract();
console.log(scenarioTable(assertions));
if (!passed) process.exitCode = 1;
else if (process.argv.includes('--write')) writeVersions();

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

function scenarioTable(all: Assertion[]): string {
  const contract = all.filter(({ ancestorTitles }) => ancestorTitles[0]?.startsWith('svc-sdk/'));
  return matrixTable(
    contract.map(({ ancestorTitles: [column = '', ...groups], title, status }) => ({
      column,
      scenario: [...groups, title].join(': '),
      status,
    })),
  );
}

function writeVersions(): void {
  const path = join(root, PAGE);
  const text = readFileSync(path, 'utf8');
  if (!BLOCK.test(text)) throw new Error(`${PAGE} has no <!-- versions --> block`);
  writeFileSync(path, text.replace(BLOCK, `$1${versionsTable()}\n$2`));
}
