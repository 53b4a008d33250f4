/**
 * Writes what was bundled next to the bundles, after each build: the licences, and a software bill of materials.
 *
 * Source: esbuild's metafile and rolldown's modules, so that the lists are what is in the output and not what package.json says.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Options } from 'tsup';
import type { Plugin as VitePlugin } from 'vite';
import { sbomOf } from './sbom.ts';
import { noticesOf } from './third-party-notices.ts';

type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number];

interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}

/**
 * The plugin for tsup. One object serves all builds of a package; each adds what it bundled and writes the files again.
 *
 * @param of the folder of the package that has the bundles
 */
export function bundledPackages({ notices, sbom, of }: { notices: string; sbom: string; of: string }): EsbuildPlugin {
  const folders = new Set<string>();
  return {
    name: 'bundled-packages',
    setup(build) {
      build.onEnd(({ metafile }) => {
        // A build that failed has none.
        if (metafile === undefined) return;
        for (const folder of packageFolders(filesIn(metafile))) folders.add(folder);
        write(notices, noticesOf(folders));
        write(sbom, sbomOf(folders, of));
      });
    },
  };
}

/** The plugin for Vite, which writes the licences itself. */
export function sbomOfPage(sbom: string, of: string): VitePlugin {
  return {
    name: 'sbom-of-page',
    apply: 'build',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle).flatMap((chunk) =>
        Object.entries(chunk.type === 'chunk' ? chunk.modules : {}).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : [])),
      );
      write(sbom, sbomOf(packageFolders(files), of));
    },
  };
}

/** Files that have at least one byte in the output. */
function filesIn({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
}

function packageFolders(files: readonly string[]): Set<string> {
  return new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []));
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${text}\n`);
}
