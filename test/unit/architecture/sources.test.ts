/** Rules for all sources: one direction of imports, one meaning of a name, small classes, no untyped casts. */
import ts from 'typescript';
import { expect, test } from 'vitest';
import { ROOMS, roomOf } from './rooms';
import { importsOf, nodesOf, parseFile, placeOf, SOURCES } from './source-files';

const MAX_FIELDS = 10;

/** Declarations of modules that ship no types. */
const NO_ROOM = ['service/src/sql.d.ts', 'service/src/rate-limiter-flexible.d.ts'];
/** The adapters of all frameworks export these on purpose: a program imports one of them. */
const IN_EVERY_ADAPTER = ['svcTools', 'loadSvcTools', 'nextRequest'];

// The violations that are left. This list only gets shorter.
const STILL_LARGE: readonly string[] = ['Invocation', 'Invocations', 'Replica', 'ToolkitConnection', 'Cluster'];

test('the table of rooms lets a room import only rooms above it', () => {
  const names = ROOMS.map(({ name }) => name);
  const upward = ROOMS.flatMap(({ name, mayImport }) =>
    mayImport.filter((other) => !names.slice(0, names.indexOf(name)).includes(other)).map((other) => `${name} -> ${other}`),
  );
  expect(upward).toEqual([]);
});

test('every source file is in a room', () => {
  expect(SOURCES.filter((path) => !NO_ROOM.includes(path) && !roomOf(path))).toEqual([]);
});

test('imports run one way: a room imports only what the table allows', () => {
  const forbidden = SOURCES.flatMap((path) => {
    const room = roomOf(path);
    return importsOf(path).flatMap((imported) => {
      const other = roomOf(imported);
      if (!room || !other || room === other || room.mayImport.includes(other.name)) return [];
      return [`${room.name} -> ${other.name}: ${path} imports ${imported}`];
    });
  });
  expect(forbidden).toEqual([]);
});

test('no exported name is defined in two files', () => {
  const files = new Map<string, Set<string>>();
  for (const path of SOURCES) {
    for (const name of exportedNames(parseFile(path))) files.set(name, (files.get(name) ?? new Set()).add(path));
  }
  const twice = [...files].filter(([name, paths]) => paths.size > 1 && !isMeant(name, [...paths]));
  expect(twice.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)).toEqual([]);
});

test(`no class has more than ${MAX_FIELDS} fields`, () => {
  const large = SOURCES.flatMap((path) => nodesOf(path, ts.isClassLike))
    .map((node) => ({ node, name: node.name?.text ?? '', fields: node.members.filter(isField).length }))
    .filter(({ name, fields }) => fields > MAX_FIELDS && !STILL_LARGE.includes(name));
  expect(large.map(({ node, name, fields }) => `${placeOf(node)} ${name}: ${fields}`)).toEqual([]);
});

test('`Object(value)` is nowhere a cast: `isObject` checks', () => {
  const casts = SOURCES.flatMap((path) => nodesOf(path, isObjectCall));
  expect(casts.map((node) => `${placeOf(node)} ${node.getText()}`)).toEqual([]);
});

function isMeant(name: string, paths: readonly string[]): boolean {
  return IN_EVERY_ADAPTER.includes(name) && paths.every((path) => path.startsWith('adapters/'));
}

/** Names that the file declares and exports. A name that it exports from another file is defined there. */
function exportedNames(file: ts.SourceFile): string[] {
  return file.statements.flatMap((statement) => {
    if (!ts.canHaveModifiers(statement) || !ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
    const { name } = statement as ts.DeclarationStatement;
    return name && ts.isIdentifier(name) ? [name.text] : [];
  });
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}

/** A method that is written as an arrow function is not a field. */
function isField(member: ts.ClassElement): member is ts.PropertyDeclaration {
  return ts.isPropertyDeclaration(member) && !(member.initializer && ts.isArrowFunction(member.initializer));
}

function isObjectCall(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'Object';
}
