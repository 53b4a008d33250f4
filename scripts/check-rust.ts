/**
 * `npm run check:rust`: everything about `rust/`: format, lint of all features, warnings without most of them, documentation, the files of the package,
 * and the tests, whose summary comes last. `npm run check:rust -- --test sdk toolkit_vectors` passes options to `cargo test`.
 *
 * Needs `npm ci` and `npm run build:js`: the tests start the built service. The target folder is `CARGO_TARGET_DIR`, or `rust/target`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The first version that builds all features. Without `rig`, the `rust-version` of Cargo.toml is enough. */
const OLDEST = [1, 95] as const;
const folder = fileURLToPath(new URL('../rust/', import.meta.url));
const PACKAGE_FILES = /^(src\/.+\.rs|examples\/.+\.rs|Cargo\.(toml|toml\.orig|lock)|README\.md|LICENSE|\.cargo_vcs_info\.json)$/;
const REQUIRED_FILES = ['Cargo.toml', 'LICENSE', 'src/lib.rs'];

if (!existsSync(new URL('../service/dist/cli.js', import.meta.url))) fail('The tests need the built service: npm run build:js');
checkToolchain();

run({}, 'fmt', '--all', '--check');
run({}, 'clippy', '--quiet', '--workspace', '--all-targets', '--all-features', '--', '-D', 'warnings');
run({ RUSTDOCFLAGS: '-D warnings' }, 'doc', '--quiet', '--workspace', '--no-deps', '--all-features');
checkPackage('svc-sdk', [...REQUIRED_FILES, 'README.md']);
checkPackage('svc-sdk-macros', REQUIRED_FILES);
buildWithFewFeatures();
checkOldestRust();
run({}, 'test', '--quiet', '--workspace', '--all-features', ...process.argv.slice(2));

function checkToolchain(): void {
  const [, major, minor] = /^cargo (\d+)\.(\d+)/.exec(read('--version')) ?? [];
  const isNewEnough = major !== undefined && (Number(major) > OLDEST[0] || Number(minor) >= OLDEST[1]);
  if (!isNewEnough) {
    fail(`cargo ${OLDEST.join('.')} or newer is not installed: install rustup and run "rustup toolchain install stable"`);
  }
  for (const [command, component] of [
    ['fmt', 'rustfmt'],
    ['clippy', 'clippy'],
  ] as const) {
    if (read(command, '--version') === '') fail(`cargo ${command} is not installed: rustup component add ${component}`);
  }
}

/**
 * Nothing may be unused without most features either. The features are those of `buildRustExample`: the tests of the demo and of the chaos harness then
 * find the programs built. Clippy would compile all dependencies once more for it.
 */
function buildWithFewFeatures(): void {
  const args = ['build', '--quiet', '--examples', '--features', 'macros'];
  const { status, stderr } = spawnSync('cargo', args, { cwd: folder, stdio: ['ignore', 'inherit', 'pipe'], encoding: 'utf8' });
  process.stderr.write(stderr);
  // Cargo prints the warnings of earlier builds again.
  if (status !== 0 || stderr.includes('warning:')) fail(`cargo ${args.join(' ')} failed`, status || 1);
}

/**
 * Compares the crates below the library with the oldest Rust that Cargo.toml names, and builds the library with it, if rustup has it. Clippy has
 * compared the parts of the standard library; only that compiler compares the language.
 */
function checkOldestRust(): void {
  const metadata: Metadata = JSON.parse(read('metadata', '--format-version', '1', '--features', 'macros'));
  const packages = new Map(metadata.packages.map((each) => [each.id, each]));
  const oldest = packages.get(metadata.resolve.root)?.rust_version ?? '';
  const needed = [...belowRoot(metadata)]
    .map((id) => packages.get(id))
    .filter((each) => each && minorOf(each.rust_version) > minorOf(oldest));
  if (needed.length > 0) {
    fail(needed.map((each) => `${each?.name} needs Rust ${each?.rust_version}; rust-version of Cargo.toml is ${oldest}`).join('\n'));
  }
  const { stdout } = spawnSync('rustup', ['toolchain', 'list'], { encoding: 'utf8' });
  const toolchains = (stdout ?? '').split(/\s+/);
  const toolchain = toolchains.find((name) => name.startsWith(`${oldest}-`) || name.startsWith(`${oldest}.`));
  if (toolchain === undefined) {
    console.error(`NOT BUILT with Rust ${oldest}, the rust-version of Cargo.toml: rustup toolchain install ${oldest}`);
    return;
  }
  run({ RUSTUP_TOOLCHAIN: toolchain }, 'check', '--quiet', '--features', 'macros', '--target-dir', join(targetFolder(), `rust-${oldest}`));
}

interface Metadata {
  packages: { id: string; name: string; rust_version: string | null }[];
  resolve: { root: string; nodes: { id: string; deps: { pkg: string; dep_kinds: { kind: string | null }[] }[] }[] };
}

/** Ids of all packages that a build of the library compiles. */
function belowRoot({ resolve: { root, nodes } }: Metadata): Set<string> {
  const below = new Set([root]);
  const dependencies = new Map(nodes.map(({ id, deps }) => [id, deps]));
  for (const id of below)
    for (const { pkg, dep_kinds } of dependencies.get(id) ?? []) if (dep_kinds.some(({ kind }) => kind !== 'dev')) below.add(pkg);
  return below;
}

/** 88 of `1.88` and `1.88.1`; 0 if a package names none. */
function minorOf(version: string | null): number {
  return Number(version?.split('.')[1] ?? 0);
}

function targetFolder(): string {
  return process.env.CARGO_TARGET_DIR ?? join(folder, 'target');
}

/** A package has the sources and the examples, and nothing that lies beside them. */
function checkPackage(name: string, required: readonly string[]): void {
  const files = read('package', '--list', '--allow-dirty', '--package', name).split('\n').filter(Boolean);
  const problems = [
    ...files.filter((file) => !PACKAGE_FILES.test(file)).map((file) => `${file} does not belong into the package ${name}`),
    ...required.filter((file) => !files.includes(file)).map((file) => `${file} is missing in the package ${name}`),
  ];
  if (problems.length > 0) fail(problems.join('\n'));
}

function read(...args: string[]): string {
  return spawnSync('cargo', args, { cwd: folder, encoding: 'utf8' }).stdout ?? '';
}

function run(env: Record<string, string>, ...args: string[]): void {
  const { status } = spawnSync('cargo', args, { cwd: folder, stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) fail(`cargo ${args.join(' ')} failed`, status ?? 1);
}

function fail(message: string, status = 1): never {
  console.error(message);
  process.exit(status);
}
