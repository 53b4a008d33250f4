/**
 * Programs beside Node that tests, benches and pictures start: where each one is, and how to install it.
 *
 * Places: an environment variable decides alone; else the PATH, then where Debian puts it. `SVC_POSTGRES` names a folder, `SVC_PYTHON_VENV` a virtual
 * environment or its Python, the others a file.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const PYTHON = fileURLToPath(new URL('../python/.venv/bin/python', import.meta.url));
const PROGRAMS = {
  postgres: { title: 'PostgreSQL', install: 'apt-get install postgresql', variable: 'SVC_POSTGRES', find: findPostgres },
  nats: { title: 'nats-server', install: 'apt-get install nats-server', variable: 'SVC_NATS_SERVER', find: findNats },
  chromium: { title: 'Chromium', install: 'apt-get install chromium-headless-shell', variable: 'SVC_CHROMIUM', find: findChromium },
  openssl: { title: 'OpenSSL', install: 'apt-get install openssl', variable: 'SVC_OPENSSL', find: findOpenssl },
  pngquant: { title: 'pngquant', install: 'apt-get install pngquant', variable: 'SVC_PNGQUANT', find: findPngquant },
  script: { title: 'script of util-linux', install: 'apt-get install bsdutils', variable: 'SVC_SCRIPT', find: findScript },
  python: { title: 'The environment of python/', install: 'npm run check:python', variable: 'SVC_PYTHON_VENV', find: findPython },
  cargo: { title: 'Rust', install: 'rustup toolchain install stable', variable: 'SVC_CARGO', find: findCargo },
};

export type ProgramName = keyof typeof PROGRAMS;

type Environment = Record<string, string | undefined>;

export const PROGRAM_NAMES = Object.keys(PROGRAMS) as ProgramName[];

/** A file; for PostgreSQL the folder of its programs. */
export function findProgram(name: ProgramName, env: Environment = process.env): string | undefined {
  const { variable, find } = PROGRAMS[name];
  const named = env[variable];
  if (named === undefined) return find(pathOf(env));
  return name === 'python' ? pythonOf(named) : firstExisting(named);
}

/** Like `findProgram`. Throws one line with the way to install it. */
export function locateProgram(name: ProgramName, env: Environment = process.env): string {
  const found = findProgram(name, env);
  if (found === undefined) throw new Error(missingLine(name));
  return found;
}

/** `nats-server is not installed: apt-get install nats-server, or name it in SVC_NATS_SERVER` */
export function missingLine(name: ProgramName): string {
  const { title, install, variable } = PROGRAMS[name];
  return `${title} is not installed: ${install}, or name it in ${variable}`;
}

/** Prints one line for each missing program at the start of a script, and ends the process with 1. */
export function requirePrograms(...names: ProgramName[]): void {
  const missing = names.filter((name) => findProgram(name) === undefined);
  for (const name of missing) console.error(missingLine(name));
  if (missing.length > 0) process.exit(1);
}

function findPostgres(path: string[]): string | undefined {
  const debian = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
  const newestFirst = debian.sort((one, other) => Number(other) - Number(one)).map((version) => join(DEBIAN_POSTGRES, version, 'bin'));
  return [...path, ...newestFirst].find((folder) => existsSync(join(folder, 'initdb')));
}

/** Debian puts it into the PATH of root alone. */
function findNats(path: string[]): string | undefined {
  return firstExisting(...inEach(path, 'nats-server'), '/usr/sbin/nats-server');
}

/** The shell without windows takes half the processor time of the whole browser. */
function findChromium(path: string[]): string | undefined {
  return firstExisting(...inEach(path, 'chromium-headless-shell'), ...inEach(path, 'chromium'));
}

function findOpenssl(path: string[]): string | undefined {
  return firstExisting(...inEach(path, 'openssl'));
}

function findPngquant(path: string[]): string | undefined {
  return firstExisting(...inEach(path, 'pngquant'));
}

/** That of BSD and macOS takes other options. */
function findScript(path: string[]): string | undefined {
  return process.platform === 'linux' ? firstExisting(...inEach(path, 'script')) : undefined;
}

/** The Python with the SDK's dependencies. */
function findPython(): string | undefined {
  return firstExisting(PYTHON);
}

/** The folder itself cannot be started. */
function pythonOf(place: string): string | undefined {
  const program = join(place, 'bin', 'python');
  return [program, place].find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

function findCargo(path: string[]): string | undefined {
  return firstExisting(...inEach(path, 'cargo'));
}

function inEach(folders: string[], file: string): string[] {
  return folders.map((folder) => join(folder, file));
}

function firstExisting(...paths: string[]): string | undefined {
  return paths.find((path) => existsSync(path));
}

function pathOf(env: Environment): string[] {
  return (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}
