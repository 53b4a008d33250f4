/**
 * The modules of the Rust SDK and the modules that each one uses. A name that a module exports from another one is followed to its definition.
 *
 * Shape: module path, such as `toolkit::event` -> module paths. The root of the crate is ``. Test modules inside of files are left out.
 */
import { filesIn, readSource } from './source-files';

const SOURCES = 'rust/src';

interface Module {
  /** Absolute paths of all names that the module uses. */
  uses: string[][];
  /** Name -> absolute path of its definition. */
  exports: Map<string, string[]>;
}

export function rustImports(): Map<string, string[]> {
  const code = new Map(filesIn([SOURCES], /\.rs$/).map((path) => [modulePath(path), withoutTests(readSource(path))]));
  return usesOf(code);
}

/** @param code module path -> source text */
export function usesOf(code: ReadonlyMap<string, string>): Map<string, string[]> {
  const isModule = (path: readonly string[]) => code.has(path.join('::'));
  const modules = new Map([...code].map(([path, text]) => [path, readModule(path === '' ? [] : path.split('::'), text, isModule)]));
  const definedIn = (path: readonly string[]): string => {
    const length = path.findLastIndex((_, index) => isModule(path.slice(0, index + 1))) + 1;
    const module = path.slice(0, length).join('::');
    const exported = modules.get(module)?.exports.get(path[length] ?? '');
    return exported ? definedIn([...exported, ...path.slice(length + 1)]) : module;
  };
  return new Map([...modules].map(([path, { uses }]) => [path, [...new Set(uses.map(definedIn))].filter((used) => used !== path)]));
}

function readModule(module: readonly string[], text: string, isModule: (path: readonly string[]) => boolean): Module {
  const uses: string[][] = [];
  const exports = new Map<string, string[]>();
  const rest = text.replace(/(pub(?:\(\w+\))? )?\buse ([^;]+);/g, (_, isExported: string | undefined, tree: string) => {
    for (const path of pathsOf(tree.replace(/\s+/g, ' '))) {
      const [target = '', name = target.split('::').at(-1) ?? ''] = path.split(' as ');
      const absolute = absolutePath(module, target.split('::'), isModule);
      if (absolute) uses.push(absolute);
      if (absolute && isExported) exports.set(name, absolute);
    }
    return '';
  });
  for (const [path] of rest.matchAll(/\b(?:super|crate|self)(?:::\w+)+/g))
    uses.push(absolutePath(module, path.split('::'), isModule) ?? []);
  return { uses, exports };
}

/** `a::{b, c::{d, e}}` -> `a::b`, `a::c::d`, `a::c::e`. */
function pathsOf(tree: string): string[] {
  const [, start = '', inside] = /^\s*([^{]*)(?:\{(.*)\})?\s*$/.exec(tree) ?? [];
  if (inside === undefined) return [start.trim()];
  const branches = inside.match(/(?:[^,{]|\{(?:[^{}]|\{[^{}]*\})*\})+/g) ?? [];
  return branches.filter((branch) => branch.trim() !== '').flatMap((branch) => pathsOf(start + branch.trim()));
}

/** Undefined for a path into another crate. */
function absolutePath(
  module: readonly string[],
  path: readonly string[],
  isModule: (path: readonly string[]) => boolean,
): string[] | undefined {
  const [first = '', ...rest] = path;
  if (first === 'crate') return rest;
  if (first === 'self') return [...module, ...rest];
  const ups = path.findIndex((segment) => segment !== 'super');
  if (ups > 0) return [...module.slice(0, -ups), ...path.slice(ups)];
  return isModule([...module, first]) ? [...module, ...path] : undefined;
}

function modulePath(file: string): string {
  return file
    .slice(SOURCES.length + 1)
    .replace(/\.rs$/, '')
    .replace(/(^|\/)(?:lib|mod)$/, '')
    .replaceAll('/', '::');
}

function withoutTests(text: string): string {
  return text
    .replace(/\/\/.*/g, '')
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/#\[cfg\(test\)\]\s*mod \w+ \{[\s\S]*?\n\}/g, '');
}
