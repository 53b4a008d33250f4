/**
 * `npm run check:python`: everything about `python/`: format, lint, types, the wheel in an empty environment, the adapters in their frameworks, and
 * the other tests, whose summary comes last. `npm run check:python -- -k moves` passes options to pytest.
 *
 * Needs `npm ci` and `npm run build:js`: the tests start the built service. The first run installs `requirements-*.txt` into `python/.venv` and
 * `python/.venvs`.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENVIRONMENTS, folder, sourcesOf, testsOf } from './python-environments.ts';
import { createEnvironment, fail, findPython, prepareFrameworks, prepareTools, run, runStatus } from './run-python.ts';

/** Exit code of pytest when `-k` selects none of the tests. */
const NO_TESTS = 5;

const options = process.argv.slice(2);

if (!existsSync(new URL('../service/dist/cli.js', import.meta.url))) fail('The tests need the built service: npm run build:js');
const python = findPython();
const tools = prepareTools(python);

run(join(tools, 'ruff'), 'check', '--quiet', '.');
run(join(tools, 'ruff'), 'format', '--check', '--quiet', '.');
run(join(tools, 'mypy'), '--no-error-summary');
run(join(folder, '../node_modules/.bin/pyright'), '--pythonpath', join(tools, 'python'));
checkWheel();
checkAdapters();
runTests();

/** Most of a test's time is waiting. */
function runTests(): void {
  run(join(tools, 'pytest'), '--quiet', '--numprocesses=4', '--dist=loadgroup', ...options);
}

/** Builds the source distribution and from it the wheel, installs that with its dependencies into an empty environment, and uses it. */
function checkWheel(): void {
  const temporary = mkdtempSync(join(tmpdir(), 'svc-sdk-python-'));
  try {
    const built = join(temporary, 'dist');
    const uv = ['build', '--sdist', '--quiet', '--offline', '--no-build-isolation', '--python', join(tools, 'python')];
    run(join(tools, 'uv'), ...uv, '--out-dir', built);
    const sdist = builtFile(built, '.tar.gz');
    run(join(tools, 'pip'), 'wheel', '--quiet', '--no-deps', '--no-build-isolation', '--wheel-dir', built, sdist);
    const environment = join(temporary, 'venv');
    createEnvironment(python, environment);
    run(join(environment, 'bin', 'pip'), 'install', '--quiet', builtFile(built, '.whl'));
    run(join(environment, 'bin', 'python'), '-I', join(folder, 'tests', 'support', 'use_installed.py'));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function builtFile(built: string, suffix: string): string {
  const name = readdirSync(built).find((file) => file.endsWith(suffix)) ?? fail(`No ${suffix} was built`);
  return join(built, name);
}

/** Types and tests of each adapter, in the environment that has its framework. */
function checkAdapters(): void {
  for (const environment of ENVIRONMENTS) {
    const programs = prepareFrameworks(python, tools, environment);
    const tests = environment.adapters.flatMap(testsOf);
    const sources = environment.adapters.flatMap(sourcesOf);
    run(join(tools, 'mypy'), '--no-error-summary', '--python-executable', join(programs, 'python'), ...sources, ...tests);
    const status = runStatus(join(programs, 'pytest'), '--quiet', ...tests, ...options);
    if (status !== 0 && !(status === NO_TESTS && options.length > 0)) process.exit(status);
  }
}
