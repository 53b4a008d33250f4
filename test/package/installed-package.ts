/** The packed tarballs, installed into an empty project, as a user has them. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export type PackageName = 'svc-sdk' | 'svc-service';

const FOLDERS: Record<PackageName, string> = { 'svc-sdk': '.', 'svc-service': 'service' };

export interface InstalledPackage {
  readonly folder: string;
  /** Paths inside of the tarball of a package. */
  packed(name: PackageName): string[];
  /** Packages in node_modules, these included. */
  packages(): Promise<string[]>;
  /** Bytes of a package in node_modules, as files. */
  bytes(name: PackageName): Promise<number>;
  /** Runs a program in the project and returns its stdout. Rejects when it fails. */
  run(program: string, ...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

/** Takes `ws` from this repository, so that no network is needed and nothing but `ws` can satisfy the packages. */
export async function installPackages(...names: PackageName[]): Promise<InstalledPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sdk-package-'));
  const run = async (program: string, ...args: string[]) => (await execute(program, args, { cwd: folder })).stdout;

  const packed = new Map<PackageName, { filename: string; files: { path: string }[] }>();
  for (const name of names) packed.set(name, await pack(FOLDERS[name], folder));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
  await cp(root('test/package/consumer'), folder, { recursive: true });
  const ws = root('node_modules/ws');
  const tarballs = [...packed.values()].map(({ filename }) => filename);
  await run('npm', 'install', '--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs, ws);

  const modules = join(folder, 'node_modules');
  return {
    folder,
    run,
    packed: (name) => (packed.get(name)?.files ?? []).map(({ path }) => path),
    packages: async () => (await readdir(modules)).filter((name) => !name.startsWith('.')),
    bytes: async (name) => {
      const entries = await readdir(join(modules, name), { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Writes the tarball of a package into the folder. */
async function pack(source: string, folder: string): Promise<{ filename: string; files: { path: string }[] }> {
  const { stdout } = await execute('npm', ['pack', root(source), '--json', '--ignore-scripts'], { cwd: folder });
  const [packed] = JSON.parse(stdout);
  return packed;
}
