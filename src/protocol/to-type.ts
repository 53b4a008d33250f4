/**
 * JSON Schema -> a type on one line, like TypeScript: `{id:int, status:"paid"|"open", lines?:object[], note:string|null}`.
 *
 * Shape:  `int`, `string<date>` and other formats; `any` for what the schema does not say, for cycles, and behind the bounds below;
 *         `…3 more` for what is left out. Conditions, `not`, and sizes of texts and lists are not shown.
 * Source: JSON Schema 2020-12; `items` as a list and `definitions` of draft-07; `nullable` of OpenAPI 3.0.
 */
import { estimateTokens } from './estimate-tokens';
import { isObject, type JsonObject } from './json-object';
import { type ReadSchema, type RefPath, SchemaReader } from './type-schema';
import { commentOf, commentText, literal, own, propertyName } from './type-text';

export interface TypeOptions {
  /** Levels of objects whose properties are written out; deeper ones are `object`. Default: 4. */
  depth?: number;
  /** Adds range, default, pattern and description of each property. Default: false. */
  comments?: boolean;
  /** Properties of one object. Default: all. */
  maxProperties?: number;
}

const FORMATS = new Set('binary byte date date-time duration email ipv4 ipv6 time uri uuid'.split(' '));
const NAMES: Readonly<Record<string, string>> = {
  array: 'any[]',
  boolean: 'boolean',
  integer: 'int',
  null: 'null',
  number: 'number',
  object: 'object',
  string: 'string',
};
const MAX_VALUES = 12;
const MAX_VALUE_CHARS = 60;
const SAMPLES = 3;
const MAX_ALTERNATIVES = 12;
/** Objects, lists and alternatives inside each other: no schema may exhaust the stack. */
const MAX_NESTING = 40;
const MAX_CHARS = 20_000;

export function toType(schema: unknown, options: TypeOptions = {}): string {
  return new TypeWriter(schema, options).write();
}

export interface PropertyType {
  name: string;
  type: string;
  required: boolean;
  /** The property with its references resolved; empty where anything may be there. */
  schema: JsonObject;
}

/** The properties of an object, in the order of its schema. */
export function propertyTypes(schema: unknown, options: TypeOptions = {}): PropertyType[] {
  return new TypeWriter(schema, options).properties();
}

const SHORTER: readonly TypeOptions[] = [
  { depth: 2, maxProperties: 20 },
  { depth: 2, maxProperties: 10 },
  { depth: 1, maxProperties: 20 },
  { depth: 1, maxProperties: 10 },
  { depth: 1, maxProperties: 5 },
  { depth: 0 },
];

/**
 * As much of a type as fits: two levels, then fewer properties, then one level.
 *
 * @param maxTokens of the type as a JSON string, as `estimateTokens` counts them
 */
export function shortType(schema: unknown, maxTokens = 100): string {
  for (const options of SHORTER) {
    const type = toType(schema, options);
    if (tokensOf(type) <= maxTokens) return type === ANY ? described(schema, maxTokens) : type;
  }
  return ANY;
}

/** The quotes of a type take more tokens inside of a JSON string. */
function tokensOf(type: string): number {
  return estimateTokens(JSON.stringify(type));
}

const ANY = 'any';

/** A result that is described in words alone has only these. */
function described(schema: unknown, maxTokens: number): string {
  const text = own(schema, 'description');
  if (typeof text !== 'string') return ANY;
  for (let chars = 4 * maxTokens; chars >= 20; chars = Math.floor(chars / 2)) {
    const words = commentText(text, chars);
    const type = `${ANY}/*${words}*/`;
    if (words !== '' && tokensOf(type) <= maxTokens) return type;
  }
  return ANY;
}

interface Place {
  /** Objects around it. */
  depth: number;
  nesting: number;
  path: RefPath;
}

/** The members of a union, each at most once. */
type Alternatives = readonly string[];

const ANYTHING: Alternatives = [ANY];

class TypeWriter {
  readonly #root: unknown;
  readonly #reader: SchemaReader;
  readonly #depth: number;
  readonly #comments: boolean;
  readonly #maxProperties: number;
  #chars = 0;

  constructor(root: unknown, { depth = 4, comments = false, maxProperties = Infinity }: TypeOptions) {
    this.#root = root;
    this.#reader = new SchemaReader(root);
    this.#depth = depth;
    this.#comments = comments;
    this.#maxProperties = maxProperties;
  }

  write(): string {
    return union(this.#type(this.#root, { depth: 0, nesting: 0, path: new Set() }));
  }

  properties(): PropertyType[] {
    const read = this.#reader.read(this.#root, new Set());
    if (typeof read !== 'object' || !isObject(read.schema.properties)) return [];
    const place = { depth: 1, nesting: 1, path: read.path };
    return Object.entries(read.schema.properties)
      .slice(0, this.#maxProperties)
      .map(([name, property]) => {
        const inner = this.#reader.read(property, read.path);
        const type = union(this.#type(property, place));
        return { name, type, required: read.required.has(name), schema: typeof inner === 'object' ? inner.schema : {} };
      });
  }

  #type(schema: unknown, place: Place): Alternatives {
    if (place.nesting > MAX_NESTING || this.#chars > MAX_CHARS) return ANYTHING;
    const read = this.#reader.read(schema, place.path);
    if (read === false) return ['never'];
    if (read === undefined || read === true) return ANYTHING;
    const types = this.#withoutNull(read, { ...place, path: read.path });
    return this.#counted(read.schema.nullable === true ? distinct([...types, 'null']) : types);
  }

  #withoutNull(read: ReadSchema, place: Place): Alternatives {
    const { schema } = read;
    if (Object.hasOwn(schema, 'const')) return values([schema.const], schema);
    if (Array.isArray(schema.enum) && schema.enum.length > 0) return values(schema.enum, schema);
    const alternatives = [schema.anyOf, schema.oneOf].find((list) => Array.isArray(list) && list.some(hasType));
    if (Array.isArray(alternatives)) return this.#anyOf(alternatives, read, place);
    return this.#ofTypes(read, place);
  }

  #anyOf(alternatives: unknown[], read: ReadSchema, place: Place): Alternatives {
    const { type, properties } = read.schema;
    const inner = { ...place, nesting: place.nesting + 1 };
    const types = distinct(
      alternatives.flatMap((alternative) =>
        this.#type(isObject(alternative) && type !== undefined ? { type, ...alternative } : alternative, inner),
      ),
    );
    const shown = types.length > MAX_ALTERNATIVES ? [...types.slice(0, MAX_ALTERNATIVES), more(types.length - MAX_ALTERNATIVES)] : types;
    // The properties beside a list of alternatives are those of each.
    if (!isObject(properties)) return shown;
    return [`(${union(this.#ofTypes(read, inner))}&${shown.length > 1 ? `(${union(shown)})` : union(shown)})`];
  }

  #ofTypes(read: ReadSchema, place: Place): Alternatives {
    const { type } = read.schema;
    const names = Array.isArray(type) ? type : [type ?? impliedType(read.schema)];
    return distinct(names.map((name) => this.#ofType(name, read, place)));
  }

  #ofType(type: unknown, read: ReadSchema, place: Place): string {
    if (type === 'object') return this.#object(read, place);
    if (type === 'array') return this.#array(read.schema, { ...place, nesting: place.nesting + 1 });
    return nameOf(type, read.schema);
  }

  #array({ items, prefixItems, additionalItems }: JsonObject, place: Place): string {
    const first = Array.isArray(prefixItems) ? prefixItems : items;
    if (!Array.isArray(first)) return this.#list(items, place);
    const rest = Array.isArray(prefixItems) ? items : additionalItems;
    const shown = first.slice(0, MAX_ALTERNATIVES).map((item) => union(this.#type(item, place)));
    if (first.length > shown.length) shown.push(more(first.length - shown.length));
    if (isObject(rest)) shown.push(`...${this.#list(rest, place)}`);
    return `[${shown.join(', ')}]`;
  }

  #list(items: unknown, place: Place): string {
    const types = this.#type(items ?? true, place);
    return types.length > 1 ? `(${union(types)})[]` : `${union(types)}[]`;
  }

  #object({ schema, required }: ReadSchema, place: Place): string {
    const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
    const inner = { ...place, depth: place.depth + 1, nesting: place.nesting + 1 };
    if (properties.length === 0) return this.#record(schema, { ...place, nesting: place.nesting + 1 });
    if (place.depth >= this.#depth) return 'object';
    const shown: string[] = [];
    for (const [name, value] of properties.slice(0, this.#maxProperties)) {
      if (this.#chars > MAX_CHARS) break;
      shown.push(this.#property(name, value, required.has(name), inner));
    }
    if (shown.length < properties.length) shown.push(more(properties.length - shown.length));
    const others = this.#otherValues(schema, inner);
    if (others) shown.push(`[key:string]:${union(others)}`);
    return `{${shown.join(', ')}}`;
  }

  #property(name: string, schema: unknown, required: boolean, place: Place): string {
    const key = `${propertyName(name)}${required ? '' : '?'}`;
    this.#chars += key.length;
    const type = union(this.#type(schema, place));
    return `${key}:${type}${this.#comments ? this.#comment(schema, place) : ''}`;
  }

  #comment(schema: unknown, place: Place): string {
    const read = this.#reader.read(schema, place.path);
    const comment = typeof read === 'object' ? commentOf(read.schema) : '';
    this.#chars += comment.length;
    return comment;
  }

  /** An object without named properties. */
  #record(schema: JsonObject, place: Place): string {
    const types = this.#otherValues(schema, place);
    if (types) return `Record<string,${union(types)}>`;
    return schema.additionalProperties === false && isObject(schema.properties) ? '{}' : 'object';
  }

  #otherValues({ additionalProperties, patternProperties }: JsonObject, place: Place): Alternatives | undefined {
    const schemas = isObject(patternProperties) ? Object.values(patternProperties).slice(0, MAX_ALTERNATIVES) : [];
    if (isObject(additionalProperties) && Object.keys(additionalProperties).length > 0) schemas.push(additionalProperties);
    return schemas.length > 0 ? distinct(schemas.flatMap((schema) => this.#type(schema, place))) : undefined;
  }

  #counted(types: Alternatives): Alternatives {
    for (const type of types) this.#chars += type.length;
    return types;
  }
}

const TYPE_KEYWORDS = '$ref additionalProperties allOf anyOf const enum items oneOf patternProperties prefixItems properties type'.split(
  ' ',
);

/** Alternatives that only say which properties go together, such as `{ required: ['a'] }`, change no type. */
function hasType(schema: unknown): boolean {
  return typeof schema === 'boolean' || (isObject(schema) && TYPE_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword)));
}

function impliedType(schema: JsonObject): string | undefined {
  const isObjectType = ['properties', 'patternProperties', 'additionalProperties'].some((keyword) => isObject(schema[keyword]));
  if (isObjectType) return 'object';
  return schema.items !== undefined || schema.prefixItems !== undefined ? 'array' : undefined;
}

function nameOf(type: unknown, { format }: JsonObject): string {
  const name = typeof type === 'string' ? own(NAMES, type) : undefined;
  if (typeof name !== 'string') return ANY;
  return name === 'string' && typeof format === 'string' && FORMATS.has(format) ? `string<${format}>` : name;
}

/** The values, or the type with three of them and their number. */
function values(list: readonly unknown[], schema: JsonObject): Alternatives {
  const start = list.slice(0, MAX_VALUES).map((value) => literal(value) ?? ANY);
  if (list.length <= MAX_VALUES && start.every((text) => text.length <= MAX_VALUE_CHARS)) return distinct(start);
  const types = typesOf(list, schema);
  const samples = start.filter((text) => text.length <= MAX_VALUE_CHARS).slice(0, SAMPLES);
  if (samples.length === 0) return types;
  const comment = `/*one of ${list.length}: ${samples.join(', ')}${samples.length < list.length ? ', …' : ''}*/`;
  return [...types.slice(0, -1), `${types.at(-1)}${comment}`];
}

function typesOf(list: readonly unknown[], schema: JsonObject): Alternatives {
  const { type } = schema;
  const named = (Array.isArray(type) ? type : [type]).map((name) => nameOf(name, schema));
  return distinct(type === undefined ? list.map((value) => nameOf(jsonType(value), schema)) : named);
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function distinct(types: Alternatives): Alternatives {
  return types.includes(ANY) ? ANYTHING : [...new Set(types)];
}

function union(types: Alternatives): string {
  return types.length > 0 ? types.join('|') : ANY;
}

function more(count: number): string {
  return `…${count} more`;
}
