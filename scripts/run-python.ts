/** Python's environments of this repository: they are created when their requirements change. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { folder, type PythonEnvironment } from './python-environments.ts';

const OLDEST = [3, 11] as const;

export function findPython(): string {
  const named = process.env.SVC_PYTHON;
  const candidates = named === undefined ? ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python'] : [named];
  const isNewEnough = `import sys; sys.exit(sys.version_info < (${OLDEST.join(', ')}))`;
  const found = candidates.find((candidate) => spawnSync(candidate, ['-c', isNewEnough]).status === 0);
  return (
    found ?? fail(`Python ${OLDEST.join('.')} or newer is not installed: apt-get install python3 python3-venv, or name it in SVC_PYTHON`)
  );
}

/** The tools, the two dependencies and the SDK itself, in `.venv`. Returns the folder of the programs. */
export function prepareTools(python: string): string {
  const environment = join(folder, '.venv');
  const programs = join(environment, 'bin');
  prepare(environment, 'requirements-dev.txt', (requirements) => {
    createEnvironment(python, environment);
    // As constraints, too: pip before 23.3 takes the newest `package[extra]` for a `package` that the file pins, and has no hash for it.
    run(join(programs, 'pip'), 'install', '--quiet', '--requirement', requirements, '--constraint', requirements);
    run(join(programs, 'pip'), 'install', '--quiet', '--no-deps', '--no-build-isolation', '--editable', folder);
  });
  return programs;
}

/** Frameworks, pytest and the SDK itself. Returns the folder of the programs. */
export function prepareFrameworks(python: string, tools: string, { name, requirements }: PythonEnvironment): string {
  const environment = join(folder, '.venvs', name);
  const programs = join(environment, 'bin');
  prepare(environment, requirements, (file) => {
    createEnvironment(python, environment);
    // A file lists all packages; some frameworks would bring many that their tools do not need.
    const target = ['--quiet', '--no-deps', '--python', join(programs, 'python')];
    const uv = spawnSync(join(tools, 'uv'), ['pip', 'install', ...target, '--requirement', file], { encoding: 'utf8' });
    // uv is ten times as fast, but has its own settings of registries and certificates.
    if (uv.status !== 0) run(join(programs, 'pip'), 'install', '--quiet', '--no-deps', '--requirement', file);
    run(join(tools, 'uv'), 'pip', 'install', ...target, '--offline', '--no-build-isolation', '--editable', folder);
  });
  return programs;
}

function prepare(environment: string, requirements: string, install: (file: string) => void): void {
  const file = join(folder, requirements);
  /** The requirements that are installed. */
  const stamp = join(environment, 'requirements.txt');
  const wanted = readFileSync(file, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(environment, { recursive: true, force: true });
  install(file);
  writeFileSync(stamp, wanted);
}

export function createEnvironment(python: string, path: string): void {
  const { status, stdout, stderr } = spawnSync(python, ['-m', 'venv', path], { encoding: 'utf8' });
  if (status !== 0) fail(`${python} cannot create a virtual environment: apt-get install python3-venv\n${stdout}${stderr}`);
}

export function run(program: string, ...args: string[]): void {
  const status = runStatus(program, ...args);
  if (status !== 0) process.exit(status);
}

/** Returns the exit status. */
export function runStatus(program: string, ...args: string[]): number {
  // The build backend finds its own program in the PATH.
  const PATH = [dirname(program), process.env.PATH ?? ''].join(delimiter);
  const { status, error } = spawnSync(program, args, { cwd: folder, stdio: 'inherit', env: { ...process.env, PATH } });
  if (error) fail(`${program} did not start: ${error.message}`);
  return status ?? 1;
}

export function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
