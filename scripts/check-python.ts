/**
 * `npm run check:python`: everything about `python/`: format, lint, types, the wheel in an empty environment, and the tests, whose summary comes last.
 * `npm run check:python -- -k moves` passes options to pytest.
 *
 * Needs `npm ci` and `npm run build:js`: the tests start the built service. The first run installs `requirements-dev.txt` into `python/.venv`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST = [3, 11] as const;
const folder = fileURLToPath(new URL('../python/', import.meta.url));
const requirements = join(folder, 'requirements-dev.txt');
/** The requirements that are installed. */
const stamp = join(folder, '.venv', 'requirements-dev.txt');

if (!existsSync(new URL('../dist/cli.js', import.meta.url))) fail('The tests need the built service: npm run build:js');
const python = findPython();
const programs = prepare(python);

run(join(programs, 'ruff'), 'check', '--quiet', '.');
run(join(programs, 'ruff'), 'format', '--check', '--quiet', '.');
run(join(programs, 'mypy'), '--no-error-summary');
checkWheel(python);
// Most of a test's time is waiting. Tests of one file share its fixtures.
run(join(programs, 'pytest'), '--quiet', '--numprocesses=4', '--dist=loadfile', ...process.argv.slice(2));

function findPython(): string {
  const named = process.env.SVC_PYTHON;
  const candidates = named === undefined ? ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python'] : [named];
  const isNewEnough = `import sys; sys.exit(sys.version_info < (${OLDEST.join(', ')}))`;
  const found = candidates.find((candidate) => spawnSync(candidate, ['-c', isNewEnough]).status === 0);
  return (
    found ?? fail(`Python ${OLDEST.join('.')} or newer is not installed: apt-get install python3 python3-venv, or name it in SVC_PYTHON`)
  );
}

/** Returns the folder of the programs. */
function prepare(python: string): string {
  const environment = join(folder, '.venv');
  const programs = join(environment, 'bin');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return programs;
  rmSync(environment, { recursive: true, force: true });
  createEnvironment(python, environment);
  run(join(programs, 'pip'), 'install', '--quiet', '--requirement', requirements);
  run(join(programs, 'pip'), 'install', '--quiet', '--no-deps', '--no-build-isolation', '--editable', folder);
  writeFileSync(stamp, wanted);
  return programs;
}

function createEnvironment(python: string, path: string): void {
  const { status, stdout, stderr } = spawnSync(python, ['-m', 'venv', path], { encoding: 'utf8' });
  if (status !== 0) fail(`${python} cannot create a virtual environment: apt-get install python3-venv\n${stdout}${stderr}`);
}

/** Builds the source distribution and from it the wheel, installs that with its dependencies into an empty environment, and uses it. */
function checkWheel(python: string): void {
  const temporary = mkdtempSync(join(tmpdir(), 'svc-sdk-python-'));
  try {
    const built = join(temporary, 'dist');
    const uv = ['build', '--sdist', '--quiet', '--offline', '--no-build-isolation', '--python', join(programs, 'python')];
    run(join(programs, 'uv'), ...uv, '--out-dir', built);
    const sdist = builtFile(built, '.tar.gz');
    run(join(programs, 'pip'), 'wheel', '--quiet', '--no-deps', '--no-build-isolation', '--wheel-dir', built, sdist);
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

function run(program: string, ...args: string[]): void {
  // The build backend finds its own program in the PATH.
  const PATH = [dirname(program), process.env.PATH ?? ''].join(delimiter);
  const { status, error } = spawnSync(program, args, { cwd: folder, stdio: 'inherit', env: { ...process.env, PATH } });
  if (error) fail(`${program} did not start: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
