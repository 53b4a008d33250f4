/**
 * Normalises a schema for the compiler. The compiler generates code from an untrusted schema, so it receives only known keywords, with
 * values of the right type, and resolved references.
 *
 * Shape:  drafts 04 to 2020-12 become 2020-12; `$id`, anchors, formats and unknown keywords are removed; the target of a reference is in
 *         `$defs` under a number. A branch (`anyOf`, `not`, …) with subschemas is in `$defs` too, so that it becomes a function that can
 *         stop after enough errors. Keywords are added for the meter (check-meter.ts): `svc-cost` at the start of a function or loop body,
 *         `svc-long-name` in the body of a loop over properties, `svc-stop` in the body of a loop whose errors make the function fail,
 *         `svc-errors` at the end of a function. `svc-never` is the body `false`.
 */
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { LocalRefs } from './local-refs';
import { KEYWORDS, type KeywordKind, subschemas } from './schema-keywords';

export const COST_KEYWORD = 'svc-cost';
export const LONG_NAME_KEYWORD = 'svc-long-name';
export const STOP_KEYWORD = 'svc-stop';
export const ERRORS_KEYWORD = 'svc-errors';
export const NEVER_KEYWORD = 'svc-never';

export interface LinkedSchema {
  schema: JsonSchema;
  /** Keyed by every schema object in `schema`. */
  nodes: ReadonlyMap<unknown, LinkedNode>;
  usesUnevaluated: boolean;
}

export interface LinkedNode {
  /** The schema as the developer wrote it. */
  origin: JsonSchema;
  /** The enclosing linked schema; undefined for the root and for targets of references. */
  holder: JsonSchema | undefined;
  /** True for a form of an `anyOf` or `oneOf`. */
  isBranch: boolean;
}

/** Throws an Error for a reference without a target. */
export function linkSchema(root: JsonSchema): LinkedSchema {
  const linker = new Linker(root);
  return { schema: linker.linkRoot(root), nodes: linker.nodes, usesUnevaluated: linker.usesUnevaluated };
}

type Linked = JsonSchema | boolean;

/** Keywords whose subschemas are the body of a loop over properties. */
const PROPERTY_LOOPS: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties', 'patternProperties']);
const COPIED: ReadonlySet<KeywordKind> = new Set(['values', 'number', 'step', 'count', 'names', 'namesByProperty', 'pattern']);

class Linker {
  readonly nodes = new Map<unknown, LinkedNode>();
  usesUnevaluated = false;
  readonly #refs: LocalRefs;
  readonly #byOrigin = new Map<JsonSchema, LinkedNode>();
  readonly #names = new Map<Linked, string>();
  readonly #defs: JsonObject = {};
  readonly #contained = new Set<string>();
  /** Cost of one run of the current function or loop body. */
  #cost = 0;

  constructor(root: JsonSchema) {
    this.#refs = new LocalRefs(root);
  }

  /** The root is in `$defs` too, since Ajv does not resolve `#` inside a definition. */
  linkRoot(root: JsonSchema): JsonSchema {
    const $ref = this.#nameOf(root);
    // Never runs: forces Ajv to compile the functions that `contains` calls.
    const compiledOnly = [...this.#contained].map((name) => ({ $ref: name }));
    return { $ref, $defs: this.#defs, ...(compiledOnly.length > 0 ? { if: true, else: { allOf: compiledOnly } } : {}) };
  }

  /** Links the schema of a function or loop body, and sets its cost. */
  #head(schema: JsonSchema, holder: JsonSchema | undefined): JsonSchema {
    const costAround = this.#cost;
    this.#cost = 0;
    const linked = this.#link(schema, holder);
    // Squared, since V8 interprets large functions, which takes many times as long.
    linked[COST_KEYWORD] = Math.ceil(this.#cost + this.#cost ** 2 / 300);
    this.#cost = costAround;
    return linked;
  }

  #link(schema: JsonSchema, holder: JsonSchema | undefined): JsonSchema {
    const linked: JsonSchema = {};
    const node: LinkedNode = { origin: schema, holder, isBranch: false };
    this.nodes.set(linked, node);
    this.#byOrigin.set(schema, node);
    this.#cost += (2 + namesIn(schema)) / 8;
    for (const [keyword, value] of Object.entries(schema)) {
      const kind = KEYWORDS.get(keyword);
      if (kind !== undefined) this.#linkKeyword(linked, schema, keyword, kind, value);
    }
    return linked;
  }

  #linkKeyword(linked: JsonSchema, schema: JsonSchema, keyword: string, kind: KeywordKind, value: unknown): void {
    if (COPIED.has(kind) || keyword === 'const') linked[keyword] = value;
    else if (kind === 'type') linked.type = typesOf(schema);
    else if (kind === 'bound') linkBound(linked, schema, keyword, value);
    else if (keyword === 'uniqueItems') linked.uniqueItems = value;
    else if (kind === 'ref') addToAllOf(linked, { $ref: this.#nameOf(this.#refs.resolve(value as string)) });
    else if (kind === 'dependencies') this.#linkDependencies(linked, value as JsonObject);
    else if (kind === 'items') this.#linkItems(linked, schema, value);
    else if (kind === 'schemas') this.#linkList(linked, keyword, value as Linked[]);
    else if (kind === 'schemaMap') this.#linkMap(linked, keyword, value as JsonObject);
    else if (kind === 'schema') this.#linkSchema(linked, keyword, value as Linked);
  }

  #linkSchema(linked: JsonSchema, keyword: string, value: Linked): void {
    if (keyword === 'additionalItems') return; // belongs to `items`
    if (keyword.startsWith('unevaluated')) this.usesUnevaluated = true;
    if (keyword === 'not' || keyword === 'if') linked[keyword] = this.#branch(value, linked);
    else if (keyword === 'propertyNames')
      linked.propertyNames = isObject(value) ? { [STOP_KEYWORD]: true, $ref: this.#nameOf(value, linked) } : value;
    else if (keyword === 'contains') {
      const name = this.#nameOf(value, linked);
      this.#contained.add(name);
      linked.contains = name;
    } else if (keyword === 'then' || keyword === 'else') linked[keyword] = this.#inline(value, linked);
    // Most closed objects are `additionalProperties: false`: closed-keywords.ts.
    else linked[keyword] = value === false ? value : this.#loop(value, linked, keyword);
  }

  #linkList(linked: JsonSchema, keyword: string, list: Linked[]): void {
    if (keyword === 'allOf') addToAllOf(linked, ...list.map((item) => this.#inline(item, linked)));
    else if (keyword === 'prefixItems') linked.prefixItems = list.map((item) => this.#inline(item, linked));
    else linked[keyword] = list.map((item) => this.#markBranch(item, this.#branch(item, linked)));
  }

  #linkMap(linked: JsonSchema, keyword: string, map: JsonObject): void {
    if (keyword === '$defs' || keyword === 'definitions') return; // definitions are linked when a reference needs them
    const link = (item: unknown) =>
      keyword === 'patternProperties' ? this.#loop(item as Linked, linked, keyword) : this.#inline(item as Linked, linked);
    const entries = Object.entries(map).map(([name, item]) => [name, link(item)] as const);
    linked[keyword] = { ...(linked[keyword] as JsonObject | undefined), ...Object.fromEntries(entries) };
  }

  #linkItems(linked: JsonSchema, schema: JsonSchema, items: unknown): void {
    if (!Array.isArray(items)) {
      linked.items = items === false ? items : this.#loop(items as Linked, linked, 'items');
      return;
    }
    linked.prefixItems = items.map((item) => this.#inline(item, linked));
    if (schema.additionalItems !== undefined) linked.items = this.#loop(schema.additionalItems as Linked, linked, 'items');
  }

  #linkDependencies(linked: JsonSchema, dependencies: JsonObject): void {
    const entries = Object.entries(dependencies);
    const names = entries.filter(([, item]) => Array.isArray(item));
    const schemas = entries.filter(([, item]) => !Array.isArray(item));
    if (names.length > 0)
      linked.dependentRequired = { ...(linked.dependentRequired as JsonObject | undefined), ...Object.fromEntries(names) };
    if (schemas.length > 0) this.#linkMap(linked, 'dependentSchemas', Object.fromEntries(schemas));
  }

  #inline(schema: Linked, holder: JsonSchema): Linked {
    return isObject(schema) ? this.#link(schema, holder) : schema;
  }

  #loop(schema: Linked, holder: JsonSchema, keyword: string): Linked {
    if (schema === true) return schema;
    const body: JsonSchema = isObject(schema) ? this.#head(schema, holder) : { [COST_KEYWORD]: 1, [NEVER_KEYWORD]: true };
    if (PROPERTY_LOOPS.has(keyword)) body[LONG_NAME_KEYWORD] = body[COST_KEYWORD];
    return Object.assign(body, { [STOP_KEYWORD]: true });
  }

  #branch(schema: Linked, holder: JsonSchema): Linked {
    if (!isObject(schema)) return schema;
    this.#cost += 1; // a failing branch makes errors even for a valid value
    return subschemas(schema).length > 0 ? { $ref: this.#nameOf(schema, holder) } : this.#link(schema, holder);
  }

  /** Marks a branch. A branch that is only a reference marks its target. */
  #markBranch(schema: Linked, linked: Linked): Linked {
    const target = isObject(schema) && typeof schema.$ref === 'string' ? this.#refs.resolve(schema.$ref) : undefined;
    for (const form of [schema, target]) {
      const node = isObject(form) ? this.#byOrigin.get(form) : undefined;
      if (node) node.isBranch = true;
    }
    return linked;
  }

  #nameOf(target: Linked | undefined, holder?: JsonSchema): string {
    if (target === undefined) throw new Error('a reference points to nothing');
    const known = this.#names.get(target);
    if (known !== undefined) return known;
    const key = String(Object.keys(this.#defs).length);
    const name = `#/$defs/${key}`;
    this.#names.set(target, name);
    this.#defs[key] = {}; // reserves the number before nested references get theirs
    const body: JsonSchema = isObject(target)
      ? this.#head(target, holder)
      : { [COST_KEYWORD]: 1, ...(target ? {} : { [NEVER_KEYWORD]: true }) };
    this.#defs[key] = Object.assign(body, { [ERRORS_KEYWORD]: true });
    return name;
  }
}

function namesIn({ properties, required, patternProperties, dependentRequired }: JsonSchema): number {
  const maps = [properties, patternProperties, dependentRequired].filter(isObject);
  const names = maps.flatMap((map) => Object.values(map).map((value) => (Array.isArray(value) ? 1 + value.length : 1)));
  return names.reduce((sum, count) => sum + count, Array.isArray(required) ? required.length : 0);
}

function addToAllOf(linked: JsonSchema, ...more: Linked[]): void {
  const allOf = linked.allOf as Linked[] | undefined;
  linked.allOf = allOf ? [...allOf, ...more] : more;
}

function typesOf({ type, nullable }: JsonSchema): unknown {
  return nullable === true ? [...new Set([type, 'null'].flat())] : type;
}

function linkBound(linked: JsonSchema, schema: JsonSchema, keyword: string, value: unknown): void {
  if (typeof value === 'number') linked[keyword] = value;
  const inclusive = keyword === 'exclusiveMinimum' ? schema.minimum : schema.maximum;
  if (value === true && typeof inclusive === 'number') linked[keyword] = inclusive;
}
