/**
 * `npm run check:frameworks`: the adapters of `python/` in their frameworks: types and tests of each, in the environment that has its framework.
 * `npm run check:frameworks -- -k approval` passes options to pytest.
 *
 * Needs `npm ci` and `npm run build:js`: the tests start the built service. The first run installs `requirements-*.txt` into `python/.venvs`.
 */
import { join } from 'node:path';
import { ENVIRONMENTS, sourcesOf, testsOf } from './python-environments.ts';
import { findPython, needBuiltService, prepareFrameworks, prepareTools, run, runStatus } from './run-python.ts';

/** Exit code of pytest when `-k` selects none of the tests. */
const NO_TESTS = 5;

const options = process.argv.slice(2);

needBuiltService();
const python = findPython();
const tools = prepareTools(python);
for (const environment of ENVIRONMENTS) {
  const programs = prepareFrameworks(python, tools, environment);
  const tests = environment.adapters.flatMap(testsOf);
  const sources = environment.adapters.flatMap(sourcesOf);
  // One cache for each set of packages: a run with other packages would throw it away.
  const types = ['--no-error-summary', '--cache-dir', `.mypy_cache/${environment.name}`, '--python-executable', join(programs, 'python')];
  run(join(tools, 'mypy'), ...types, ...sources, ...tests);
  const status = runStatus(join(programs, 'pytest'), '--quiet', ...tests, ...options);
  if (status !== 0 && !(status === NO_TESTS && options.length > 0)) process.exit(status);
}
