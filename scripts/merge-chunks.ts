/**
 * Joins the files that a start loads into one. esbuild makes a file of each set of modules that the same entries share, and a start of the
 * service read 90: finding and reading one takes as long as compiling it. Files that are loaded later stay apart.
 */
import { chmodSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type GetModuleInfo, rollup } from 'rollup';
import type { Options } from 'tsup';

type TsupPlugin = NonNullable<Options['plugins']>[number];

const ESBUILD_HASH = /-[A-Z0-9]{8}$/;

export interface Merge {
  /** Where the build writes. */
  folder: string;
  /** Names of its entries, without an ending. */
  entries: readonly string[];
  /** Matches the name of the file whose static imports are joined: an entry, or what an entry loads at once. */
  start: RegExp;
  /** How the names of its other files begin, such as `service-`. */
  prefix: string;
}

export function mergeChunks({ folder, entries, start, prefix }: Merge): TsupPlugin {
  return {
    name: 'merge-chunks',
    async buildEnd({ writtenFiles }) {
      const files = writtenFiles.map(({ name }) => resolve(name)).filter((file) => file.endsWith('.js'));
      // The build of CommonJS is one file already.
      if (files.length === 0) return;
      const input = Object.fromEntries(entries.map((entry) => [entry, resolve(folder, `${entry}.js`)]));
      const modes = Object.values(input).map((file) => ({ file, mode: statSync(file).mode }));
      const bundle = await rollup({ input, external: (id) => !/^[./]/.test(id), treeshake: false });
      let chunks: Map<string, string> | undefined;
      const { output } = await bundle.write({
        dir: folder,
        format: 'es',
        chunkFileNames: ({ name }) => `${prefix}${name.replace(prefix, '').replace(ESBUILD_HASH, '')}-[hash].js`,
        manualChunks(id, { getModuleInfo }) {
          chunks ??= chunksOf({ files, others: Object.values(input), start, getModuleInfo });
          return chunks.get(id);
        },
      });
      await bundle.close();
      const kept = new Set(output.map(({ fileName }) => resolve(folder, fileName)));
      for (const file of files) if (!kept.has(file)) rmSync(file);
      for (const { file, mode } of modes) chmodSync(file, mode);
    },
  };
}

interface Graph {
  files: readonly string[];
  others: readonly string[];
  start: RegExp;
  getModuleInfo: GetModuleInfo;
}

/**
 * The file that begins stays apart: it may wait for a file that is loaded later, which imports from the joined one. Modules that another entry may
 * load are a file of their own too, since loading the joined one takes the time of all.
 */
function chunksOf({ files, others, start, getModuleInfo }: Graph): Map<string, string> {
  const first = files.filter((file) => start.test(file));
  const reach = (from: readonly string[], later: boolean) => {
    const seen = new Set<string>();
    const waiting = [...from];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const info = getModuleInfo(id);
      if (info) waiting.push(...info.importedIds, ...(later ? info.dynamicallyImportedIds : []));
    }
    return seen;
  };
  const shared = reach(
    others.filter((file) => !start.test(file) && !getModuleInfo(file)?.dynamicallyImportedIds.some((id) => start.test(id))),
    true,
  );
  const joined = [...reach(first, false)].filter((id) => !first.includes(id));
  return new Map(joined.map((id) => [id, shared.has(id) ? 'shared' : 'start']));
}
