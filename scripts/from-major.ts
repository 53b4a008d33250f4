import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

/** Takes the packages of a workspace below `test/majors` in place of those at the root: the same tests, with an older major of a framework. */
export function fromMajor(name: string): Plugin {
  const workspace = fileURLToPath(new URL(`../test/majors/${name}/package.json`, import.meta.url));
  const packages = Object.keys(JSON.parse(readFileSync(workspace, 'utf8')).dependencies);
  return {
    // Projects whose plugins have the same names share what was resolved.
    name: `from-major:${name}`,
    enforce: 'pre',
    resolveId(source, importer) {
      const isTheirs = packages.some((dependency) => source === dependency || source.startsWith(`${dependency}/`));
      return isTheirs && importer !== workspace ? this.resolve(source, workspace, { skipSelf: true }) : null;
    },
  };
}
