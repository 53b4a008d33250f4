/**
 * Writes the licences of what was bundled next to the bundles: nearly all of them ask that their notice goes with every copy.
 *
 * Shape:  one section per package and version: name, version, licence, then the text of its licence and notice files.
 * Errors: fails the build when a bundled package brings no licence text.
 * Source: esbuild's metafile, so that the list is what is in the output and not what package.json says.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}

const RULE = '-'.repeat(80);
const LICENCE_FILE = /^(licen[cs]e|copying|notice)\b/i;

/** One plugin object serves all builds of a run; each adds what it bundled and writes the file again. */
export function thirdPartyNotices(outFile: string): Plugin {
  const sections = new Map<string, string>();
  return {
    name: 'third-party-notices',
    setup(build) {
      build.onEnd(({ metafile }) => {
        // A build that failed has none.
        if (metafile === undefined) return;
        for (const folder of bundledPackages(metafile)) sections.set(...section(folder));
        const text = ['svc-sdk contains the software below.', ...[...sections].sort().map(([, each]) => each)].join(`\n\n${RULE}\n`);
        mkdirSync(dirname(outFile), { recursive: true });
        writeFileSync(outFile, `${text}\n`);
      });
    },
  };
}

/** Folders of the packages that have at least one byte in the output. */
function bundledPackages({ outputs }: Metafile): Set<string> {
  const files = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  return new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []));
}

function section(folder: string): [title: string, text: string] {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0) throw new Error(`${folder} has no licence file to bring along`);
  const title = `${name} ${version} (${license})`;
  return [title, [title, ...texts].join('\n\n')];
}
