/** The packed tarball, installed into an empty project, as a user has it. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export interface InstalledPackage {
  readonly folder: string;
  /** Paths inside the package, without what npm always adds. */
  readonly packed: string[];
  /** Packages in node_modules, this one included. */
  packages(): Promise<string[]>;
  /** Bytes of node_modules, as files. */
  bytes(): Promise<number>;
  /** Runs a program in the project; what it prints on stdout. Rejects when it fails. */
  run(program: string, ...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

/** Takes `ws` from this repository, so that no network is needed and nothing but `ws` can satisfy the package. */
export async function installPackage(): Promise<InstalledPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sdk-package-'));
  const run = async (program: string, ...args: string[]) => (await execute(program, args, { cwd: folder })).stdout;

  const [packed] = JSON.parse(await run('npm', 'pack', root('.'), '--json', '--ignore-scripts'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
  await cp(root('test/package/consumer'), folder, { recursive: true });
  const ws = root('node_modules/ws');
  await run('npm', 'install', '--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund', packed.filename, ws);

  const modules = join(folder, 'node_modules');
  return {
    folder,
    run,
    packed: packed.files.map(({ path }: { path: string }) => path),
    packages: async () => (await readdir(modules)).filter((name) => !name.startsWith('.')),
    bytes: async () => {
      const entries = await readdir(modules, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
