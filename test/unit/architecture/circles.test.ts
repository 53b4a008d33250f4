/** No file imports itself through others: a reader of one file would need all of them. For Python: python/tests/test_architecture.py. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { circlesIn } from './circles';
import { rustImports, usesOf } from './rust-imports';
import { filesIn, importedNames, importsOf, SOURCES } from './source-files';

test('no file imports itself through others, not even for a type', () => {
  const imports = new Map([...SOURCES, ...filesIn(['scripts', 'bench'])].map((path) => [path, importsOf(path)]));
  expect([...new Set([...imports.values()].flat())].filter((path) => !existsSync(path))).toEqual([]);
  expect(shown(circlesIn(imports))).toEqual([]);
});

test('no module of the Rust SDK uses itself through others', () => {
  expect(shown(circlesIn(rustImports()))).toEqual([]);
});

test('a cycle of imports is found for every form of import', () => {
  const ways = ["import type { B } from './b';", "export * from './b';", "type B = import('./b').B;", "const b = await import('./b');"];
  expect(ways.map((text) => importedNames(text))).toEqual(ways.map(() => ['./b']));
  const imports = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', []],
    ['e', ['a', 'e']],
  ]);
  expect(circlesIn(imports)).toEqual([['a', 'b', 'c'], ['e']]);
});

test('a use in Rust is followed to the module that defines the name', () => {
  const code = new Map([
    ['', 'mod a; mod b; pub use a::{One, inner::{Two, Three as Four}};'],
    ['a', 'mod inner; pub use inner::Five; use std::fmt;'],
    ['a::inner', 'use super::super::b::Six; fn six() { crate::b::six() }'],
    ['b', 'use crate::{\n    Four, One,\n    a::Five,\n}; // use crate::Two;'],
  ]);
  expect(Object.fromEntries(usesOf(code))).toEqual({ '': ['a', 'a::inner'], a: ['a::inner'], 'a::inner': ['b'], b: ['a::inner', 'a'] });
});

function shown(circles: readonly string[][]): string[] {
  return circles.map((files) => files.join(' <-> '));
}
