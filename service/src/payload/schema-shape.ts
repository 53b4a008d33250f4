/**
 * Refuses a broken JSON Schema when its action is registered, so that the developer reads the error. A schema that passes can be compiled.
 *
 * Errors: `DescriptionFault` with the JSON Pointer of the fault and what to write instead.
 */
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { DescriptionFault } from './description-fault';
import { inWords } from './in-words';
import { below } from './json-pointer';
import { costOfIsPattern, isPattern } from './linear-patterns';
import { LocalRefs } from './local-refs';
import { IN_PLACE, JSON_TYPES, KEYWORDS, type KeywordKind, subschemas } from './schema-keywords';
import { jsonTypeOf } from './type-names';

/** Limit of subschemas and patterns. Each is compiled to code, which blocks the event loop for 0.1 ms. */
const MAX_PARTS = 1_000;
/** Length of a list of forms or patterns at which each takes twice as long to compile, since Ajv nests or repeats their code. */
const LONG_LIST = 500;
/** So many RE2 instructions take as long to compile as a subschema. */
const PROGRAM_OF_A_PART = 50;

export function checkSchemaShape(root: JsonSchema): void {
  new ShapeWalk(root).check(root, '', false);
}

/** The schema must have passed `checkSchemaShape`. */
export function requireAcceptsObjects(root: JsonSchema): void {
  if (!new ShapeWalk(root).acceptsObjects(root))
    throw broken('', 'the payload of an action is an object; write {"type": "object", "properties": {…}} or the short form {"name": {…}}');
}

class ShapeWalk {
  readonly #refs: LocalRefs;
  #parts = 0;
  readonly #checked = new Set<JsonSchema>();
  /** Schemas that are known not to refer to themselves in place. */
  readonly #grounded = new Set<JsonSchema>();
  readonly #accepting = new Map<JsonSchema, boolean>();

  constructor(root: JsonSchema) {
    this.#refs = new LocalRefs(root);
  }

  check(schema: unknown, path: string, belowOwnId: boolean): void {
    this.#count(1, path);
    if (typeof schema === 'boolean') return;
    if (!isObject(schema)) throw broken(path, `${inWords(schema)} is not a schema; write an object such as {"type": "string"}`);
    if (this.#checked.has(schema)) return;
    this.#checked.add(schema);
    this.#countCostly(schema, path);
    const hasOwnId = path !== '' && typeof schema.$id === 'string' && !schema.$id.startsWith('#');
    for (const [keyword, value] of Object.entries(schema)) {
      const kind = KEYWORDS.get(keyword);
      if (kind === undefined) continue;
      const problem = PROBLEMS[kind]?.(value);
      if (problem) throw broken(below(path, keyword), `${inWords(value)} ${problem}`);
      if (kind === 'schemaMap' && keyword === 'patternProperties') checkPatternNames(value as object, below(path, keyword));
      if (kind === 'ref') this.#checkRef(value as string, below(path, keyword), belowOwnId || hasOwnId);
    }
    for (const child of subschemas(schema)) this.check(child.schema, path + child.path, belowOwnId || hasOwnId);
    this.#refuseEndless(schema, path, new Set());
  }

  #count(parts: number, path: string): void {
    this.#parts += parts;
    if (this.#parts > MAX_PARTS)
      throw broken(path, `the schema has more than ${MAX_PARTS} parts; make it smaller, or describe some of it as text`);
  }

  /** Counts the keywords that take longer than their subschemas. */
  #countCostly({ dependentRequired, anyOf, oneOf, patternProperties, pattern }: JsonSchema, path: string): void {
    if (isObject(dependentRequired)) this.#count(Object.values(dependentRequired).flat().length, path);
    const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : [];
    for (const { length } of [anyOf, oneOf, patterns].filter(Array.isArray)) this.#count(Math.floor(length ** 2 / LONG_LIST), path);
    for (const text of [...patterns, pattern])
      if (typeof text === 'string') this.#count(Math.ceil(costOfIsPattern(text) / PROGRAM_OF_A_PART), path);
  }

  #checkRef(ref: string, path: string, belowOwnId: boolean): void {
    if (!ref.startsWith('#'))
      throw broken(
        path,
        `${inWords(ref)} points outside of the schema; nothing is fetched, copy it into "$defs" and write "#/$defs/<name>"`,
      );
    if (belowOwnId)
      throw broken(path, 'the reference is in a part with an "$id" of its own; remove that "$id", all references start at the root');
    const target = this.#refs.resolve(ref);
    if (target === undefined)
      throw broken(path, `${inWords(ref)} points to nothing; write the JSON Pointer of a schema, such as "#/$defs/<name>"`);
    // The target may be outside of all keywords, such as "#/components/schemas/Pet".
    this.check(target, ref.slice(1), false);
  }

  /** Refuses a schema that refers to itself without going into a property or an item: checking a payload would never end. */
  #refuseEndless(schema: JsonSchema, path: string, under: Set<JsonSchema>): void {
    if (this.#grounded.has(schema)) return;
    if (under.has(schema)) throw broken(path, 'the schema refers to itself without going into a property or an item, which never ends');
    under.add(schema);
    for (const next of this.#inPlace(schema)) this.#refuseEndless(next, path, under);
    under.delete(schema);
    this.#grounded.add(schema);
  }

  #inPlace(schema: JsonSchema): JsonSchema[] {
    const refs = Object.entries(schema).filter(([keyword, ref]) => KEYWORDS.get(keyword) === 'ref' && typeof ref === 'string');
    const targets = refs.map(([, ref]) => this.#refs.resolve(ref as string));
    const held = subschemas(schema).filter(({ keyword }) => IN_PLACE.has(keyword));
    return [...targets, ...held.map((child) => child.schema)].filter(isObject);
  }

  /** The recursion ends, since no schema refers to itself in place. */
  acceptsObjects(schema: unknown): boolean {
    if (!isObject(schema)) return schema !== false;
    const known = this.#accepting.get(schema);
    if (known !== undefined) return known;
    const { allOf, anyOf, oneOf, $ref } = schema;
    const all = [...(Array.isArray(allOf) ? allOf : []), typeof $ref === 'string' ? this.#refs.resolve($ref) : true];
    const accepts =
      namesObjects(schema) &&
      all.every((part) => this.acceptsObjects(part)) &&
      [anyOf, oneOf].every((forms) => !Array.isArray(forms) || forms.some((form) => this.acceptsObjects(form)));
    this.#accepting.set(schema, accepts);
    return accepts;
  }
}

function namesObjects(schema: JsonSchema): boolean {
  const { type } = schema;
  if (type !== undefined && ![type].flat().includes('object')) return false;
  if (Array.isArray(schema.enum) && !schema.enum.some(isObject)) return false;
  return !Object.hasOwn(schema, 'const') || isObject(schema.const);
}

/** Describes the mistake of a value and the right form, by kind. Undefined for a valid value. */
const PROBLEMS: { [kind in KeywordKind]?: (value: unknown) => string | undefined } = {
  schemas: (value) => unless(Array.isArray(value) && value.length > 0, 'is not a list of schemas; write [{…}, {…}]'),
  schemaMap: (value) => unless(isObject(value), 'is not an object of schemas;  write {"<name>": {…}}'),
  dependencies: (value) =>
    unless(
      isObject(value) && Object.values(value).every((item) => !Array.isArray(item) || isNames(item)),
      'is not an object of schemas or lists of names',
    ),
  type: typeProblem,
  ref: (value) => unless(typeof value === 'string', 'is not a reference; write a text such as "#/$defs/<name>"'),
  anchor: (value) => unless(typeof value === 'string' && /^[A-Za-z_][-\w.]*$/.test(value), 'is not an anchor; write a name such as "node"'),
  text: (value) => unless(typeof value === 'string', 'is not a text; write a string'),
  values: (value) => unless(Array.isArray(value) && value.length > 0, 'is not a list of values; write ["a", "b"]'),
  number: (value) => unless(typeof value === 'number' && Number.isFinite(value), 'is not a number'),
  bound: (value) => unless(typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)), 'is not a number'),
  step: (value) => unless(typeof value === 'number' && Number.isFinite(value) && value > 0, 'is not a number above 0'),
  count: (value) => unless(Number.isInteger(value) && (value as number) >= 0, 'is not a whole number from 0 on'),
  boolean: (value) => unless(typeof value === 'boolean', 'is not a boolean; write true or false'),
  names: (value) =>
    typeof value === 'boolean'
      ? 'belongs to the object that holds the property; write "required": ["<property>"] beside "properties"'
      : unless(isNames(value), 'is not a list of property names; write ["<property>"]'),
  namesByProperty: (value) => unless(isObject(value) && Object.values(value).every(isNames), 'is not an object of lists of property names'),
  pattern: (value) => unless(typeof value === 'string' && isPattern(value), 'is not a regular expression'),
};

function typeProblem(value: unknown): string | undefined {
  const names = Array.isArray(value) ? value : [value];
  if (names.length > 0 && names.every((name) => JSON_TYPES.has(name))) return undefined;
  const meant = names.map((name) => jsonTypeOf(name)?.type).find((name) => name !== undefined && !names.includes(name));
  return `is not a JSON Schema type; write ${meant ? `"${meant}"` : 'one of "string", "number", "integer", "boolean", "array", "object", "null"'}`;
}

function checkPatternNames(patterns: object, path: string): void {
  const wrong = Object.keys(patterns).find((pattern) => !isPattern(pattern));
  if (wrong !== undefined) throw broken(below(path, wrong), 'the name is not a regular expression');
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function unless(good: boolean, problem: string): string | undefined {
  return good ? undefined : problem;
}

function broken(path: string, problem: string): DescriptionFault {
  return new DescriptionFault(`${path === '' ? '' : ` at ${path}`}: ${problem}`);
}
