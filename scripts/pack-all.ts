/**
 * `npm run pack:all`: the packages of the three languages in one folder, `packages/` or the named one, and how to install each. Without cargo the crate is
 * left out, and a line says so.
 *
 * Needs `npm run build`. `SVC_PYTHON` and `SVC_CARGO` name programs in other places.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import { findProgram, missingLine } from './programs.ts';
import { fail, findPython } from './run-python.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const packages = resolve(process.argv[2] ?? join(root, 'packages'));
const { version } = packageJson;
const crate = `svc-sdk-${version}`;
const macros = `svc-sdk-macros-${version}`;
const temporary = mkdtempSync(join(tmpdir(), 'svc-sdk-pack-'));

if (!existsSync(join(root, 'service/dist/index.js'))) fail('The packages need what is built: npm run build');
mkdirSync(packages, { recursive: true });
try {
  packForNode();
  packForPython();
  const hasCrate = packForRust();
  console.log(`npm install ${join(packages, `svc-sdk-${version}.tgz`)}`);
  console.log(`npm install ${join(packages, `svc-sdk-${version}.tgz`)} ${join(packages, `svc-service-${version}.tgz`)}`);
  console.log(`pip install ${join(packages, `svc_sdk-${version}-py3-none-any.whl`)}`);
  if (hasCrate) console.log(`cargo add --path ${join(packages, crate)}`);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

function packForNode(): void {
  for (const folder of [root, join(root, 'service')])
    run('npm', ['pack', folder, '--silent', '--ignore-scripts', '--pack-destination', packages]);
}

/** Uses the build backend of `npm run check:python` if it is installed; pip downloads one otherwise. */
function packForPython(): void {
  const wheel = ['wheel', '--quiet', '--no-deps', '--wheel-dir', packages];
  const tools = findProgram('python');
  if (tools !== undefined) return run(tools, ['-m', 'pip', ...wheel, '--no-build-isolation', join(root, 'python')]);
  const python = findPython();
  run(python, ['-m', 'venv', join(temporary, 'venv')]);
  run(join(temporary, 'venv/bin/pip'), [...wheel, join(root, 'python')]);
}

/** The crate with its macros, and their folders: cargo installs no file. The folder of the crate finds its macros beside it. */
function packForRust(): boolean {
  const cargo = findProgram('cargo');
  if (cargo === undefined) {
    console.log(`The crate is left out. ${missingLine('cargo')}`);
    return false;
  }
  const manifest = join(root, 'rust/Cargo.toml');
  const options = ['--workspace', '--quiet', '--no-verify', '--allow-dirty', '--exclude-lockfile'];
  run(cargo, ['package', ...options, '--manifest-path', manifest, '--target-dir', temporary]);
  for (const name of [macros, crate]) {
    const file = join(packages, `${name}.crate`);
    copyFileSync(join(temporary, 'package', `${name}.crate`), file);
    rmSync(join(packages, name), { recursive: true, force: true });
    run('tar', ['-xf', file, '-C', packages]);
  }
  const unpacked = join(packages, crate, 'Cargo.toml');
  writeFileSync(unpacked, readFileSync(unpacked, 'utf8').replace('[dependencies.svc-sdk-macros]', `$&\npath = "../${macros}"`));
  return true;
}

/** Its output goes to stderr: stdout has the lines to paste. */
function run(program: string, args: string[]): void {
  // The build backend of Python finds its own program in the PATH.
  const PATH = [dirname(program), process.env.PATH ?? ''].join(delimiter);
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 2, 'inherit'], env: { ...process.env, PATH } });
  if (error || status !== 0) fail(`${program} ${args[0]} failed${error ? `: ${error.message}` : ''}`);
}
