/** The sources of the repository, read by TypeScript's parser. Paths are relative to the root of the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Entries that the packages publish, by the name that the sources import. */
const PUBLIC_ENTRIES: Record<string, string> = {
  'svc-sdk': 'src/index.ts',
  'svc-service': 'service/src/index.ts',
  'svc-service/import': 'service/import/index.ts',
  'svc-sdk/agent': 'src/agent/index.ts',
  'svc-sdk/agent/telegram': 'src/agent/clients/telegram.ts',
  'svc-sdk/agent/discord': 'src/agent/clients/discord.ts',
  'svc-sdk/agent/x': 'src/agent/clients/x.ts',
  'svc-sdk/agent/ai': 'src/agent/ai.ts',
  'svc-sdk/agent/testing': 'src/agent/testing.ts',
};

export function filesIn(folders: readonly string[], ending = /\.tsx?$/): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => ending.test(path))
      .map((path) => `${folder}/${path}`),
  );
}

/** The files of the packages. */
export const SOURCES = filesIn([
  'src',
  'adapters',
  'service/src',
  'service/import',
  'service/cli',
  'service/console',
  'service/scripted-model',
]);

export function readSource(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

const parsed = new Map<string, ts.SourceFile>();

export function parseFile(path: string): ts.SourceFile {
  let file = parsed.get(path);
  if (!file) {
    file = ts.createSourceFile(path, readSource(path), ts.ScriptTarget.Latest, true);
    parsed.set(path, file);
  }
  return file;
}

/** Every node of the file that the guard accepts, in the order of the text. */
export function nodesOf<Node extends ts.Node>(path: string, isWanted: (node: ts.Node) => node is Node): Node[] {
  const found: Node[] = [];
  const visit = (node: ts.Node): void => {
    if (isWanted(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(parseFile(path));
  return found;
}

/** Files of this repository that the file imports: with `import`, `export … from`, `import()` or as a type. */
export function importsOf(path: string): string[] {
  return importedNames(readSource(path))
    .flatMap((name) => resolveImport(path, name))
    .sort();
}

export function importedNames(text: string): string[] {
  return ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
}

function resolveImport(from: string, name: string): string[] {
  if (name.startsWith('svc-s')) return [PUBLIC_ENTRIES[name] ?? name.replace('svc-sdk', 'adapters').concat('.ts')];
  if (!/^(\.|#sdk\/)/.test(name)) return [];
  const path = name.startsWith('.') ? posix.join(posix.dirname(from), name) : name.replace('#sdk/', 'src/');
  return [
    ['', '.ts', '.tsx', '/index.ts'].map((end) => path + end).find((file) => /\.\w+$/.test(file) && existsSync(join(ROOT, file))) ?? path,
  ];
}

export function placeOf(node: ts.Node): string {
  const file = node.getSourceFile();
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}
