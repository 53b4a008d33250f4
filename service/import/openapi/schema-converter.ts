/**
 * Converts schemas of an OpenAPI document to JSON Schema 2020-12, never stricter than the original: inexpressible parts are left out.
 *
 * Shape:  the schema of a payload or a result with its reachable `$defs`, each converted once, on first use. A result has no limits of its values,
 *         such as `pattern` and `additionalProperties: false`: a caller does not choose them, and an API may add fields.
 * Errors: `TooManyParts`, so that a schema that reaches everything costs no more than one that fits.
 * Source: OpenAPI 3.0.4 and 3.1.1, Schema Object; JSON Schema 2020-12.
 */
import type { JsonSchema } from 'svc-sdk';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import type { OpenapiDocument } from './document';
import { isGoodKeyword, isShownText } from './keyword-values';
import { withDigits } from './large-integers';
import { isAnnotation, isReadOnly, isWriteOnly, plainObject } from './plain-object';
import { limitText, plainText } from './plain-text';
import { SchemaDefinitions } from './schema-definitions';
import { chosenForm, type Subtype, type SubtypeChoice, subtypesOf } from './subtypes';

export interface ConverterLimits {
  /** Characters of one description. */
  textChars: number;
  /** Levels of nested objects and lists; a deeper one has only its type and texts. */
  levels: number;
  /** Subschemas and values of `enum`. */
  parts: number;
  /** A schema with a discriminator becomes its subtypes; false: only their common part. */
  hasSubtypes: boolean;
}

export class TooManyParts extends Error {
  override readonly name = 'TooManyParts';
}

interface Place {
  /** The current definition; undefined: the root. */
  from: string | undefined;
  level: number;
  /** The position still applies to the value of `from`. */
  inPlace: boolean;
}

const JSON_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'null', 'object', 'array']);
/** Non-standard types in documents. */
const FOREIGN_TYPES: Record<string, string> = {
  int: 'integer',
  int32: 'integer',
  int64: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'number',
  bool: 'boolean',
  text: 'string',
  date: 'string',
  'date-time': 'string',
  datetime: 'string',
  uuid: 'string',
  file: 'string',
  list: 'array',
  map: 'object',
};
const BOUNDS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;
const VALUES_PER_PART = 10;
/** Keywords without subschemas that a result keeps. */
const RESULT_KEYWORDS: ReadonlySet<string> = new Set(['type', 'description', 'format', 'enum', 'const']);

export class SchemaConverter {
  readonly #document: OpenapiDocument;
  readonly #limits: ConverterLimits;
  readonly #isResult: boolean;
  readonly #definitions = new SchemaDefinitions();
  /** Reference of the document -> name in `$defs`. */
  readonly #names = new Map<string, string>();
  readonly #queue: (() => void)[] = [];
  #partsLeft: number;
  /** A part has subtypes, also if the limits leave them out. */
  metSubtypes = false;
  /** References out of the document or without a target: any value is accepted there. */
  readonly openReferences = new Set<string>();

  constructor(document: OpenapiDocument, limits: ConverterLimits, { isResult = false } = {}) {
    this.#document = document;
    this.#limits = limits;
    this.#isResult = isResult;
    this.#partsLeft = limits.parts;
  }

  /** @param schema the schema of an object */
  payloadSchema(schema: JsonObject): JsonSchema {
    return { type: 'object', properties: {}, ...this.#convertRoot(schema) };
  }

  /** @param schema the schema of any value; the root of a recursive one is a reference */
  resultSchema(schema: JsonObject): JsonSchema {
    return this.#convertRoot(schema);
  }

  #convertRoot(schema: JsonObject): JsonSchema {
    const root = this.#convertObject(schema, { from: undefined, level: 0, inPlace: true });
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) next();
    const definitions = this.#definitions.finish();
    return Object.keys(definitions).length > 0 ? { ...root, $defs: definitions } : root;
  }

  #convert(schema: unknown, place: Place): JsonSchema | boolean {
    if (typeof schema === 'boolean') return schema;
    return isObject(schema) ? this.#convertObject(schema, place) : {};
  }

  #convertObject(schema: JsonObject, place: Place): JsonSchema {
    this.#spend(1);
    if (place.level > this.#limits.levels) return this.#named(schema);
    if (typeof schema.$ref === 'string') return this.#convertReference(schema, schema.$ref, place);
    const choice = this.#subtypesOf(schema);
    if (choice) return this.#convertSubtypes(schema, choice, place);
    if (Array.isArray(schema.allOf)) return this.#convertAllOf(schema, schema.allOf, place);
    return this.#convertPlain(schema, place);
  }

  /** Many 3.0 documents write keywords beside a reference, and intend them. */
  #convertReference(schema: JsonObject, ref: string, place: Place): JsonSchema {
    // The type is that of the reference.
    const { $ref: _, type: __, ...beside } = schema;
    const says = Object.keys(beside).some((keyword) => !isAnnotation(keyword));
    if (says) return this.#convertAllOf({ ...annotationsOf(beside) }, [{ $ref: ref }, withoutAnnotations(beside)], place);
    if (this.#document.at(ref) === undefined) {
      this.openReferences.add(ref);
      return this.#words(beside);
    }
    if (beside.nullable === true) {
      return { ...this.#words(beside), anyOf: [this.#reference(ref, {}, place), { type: 'null' }] };
    }
    return this.#reference(ref, beside, place);
  }

  #reference(ref: string, beside: JsonObject, place: Place): JsonSchema {
    const target = this.#document.at(ref);
    // A reference to a reference, or to the schema `true`, needs no separate definition.
    if (!isObject(target)) return this.#words(beside);
    const to = this.#names.get(ref) ?? this.#define(ref, target, place.level);
    const holder: JsonObject = { $ref: `#/$defs/${to}`, ...this.#words(beside) };
    this.#definitions.addReference({ holder, from: place.from, to, inPlace: place.inPlace });
    return holder;
  }

  #define(ref: string, target: JsonObject, level: number): string {
    const taken = new Set(this.#names.values());
    const base = (ref.split('/').at(-1) ?? '').replaceAll(/[^A-Za-z0-9_.-]+/g, '_') || 'part';
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}_${n}`;
    this.#names.set(ref, name);
    // Converted after schemas nearer to the root, so that its level is minimal.
    this.#queue.push(() => this.#definitions.set(name, this.#convertObject(target, { from: name, level, inPlace: true })));
    return name;
  }

  #subtypesOf(schema: unknown): SubtypeChoice | undefined {
    const choice = subtypesOf(schema, this.#document);
    if (choice) this.metSubtypes = true;
    return this.#limits.hasSubtypes ? choice : undefined;
  }

  #convertSubtypes(schema: JsonObject, { property, subtypes }: SubtypeChoice, place: Place): JsonSchema {
    const forms: unknown[] = subtypes.map((subtype) => this.#convertSubtype(subtype, property, place));
    if (schema.nullable === true) forms.push({ type: 'null' });
    this.#spend(Math.floor(forms.length ** 2 / 500));
    return { ...this.#words(schema), anyOf: forms };
  }

  /** The fields of a subtype and of its base, with the texts that select it. */
  #convertSubtype({ schema, values }: Subtype, property: string, place: Place): JsonSchema {
    this.#spend(1);
    const { discriminator: _, ...own } = schema;
    const object = plainObject(own, this.#document);
    if (!object) return this.#convertAllOf({}, [own, { properties: { [property]: { type: 'string', enum: values } } }], place);
    const properties = isObject(object.properties) ? object.properties : {};
    return this.#convertPlain(
      { ...object, properties: { ...properties, [property]: this.#chosenBy(properties[property], values) } },
      place,
    );
  }

  /** A property with its own list of texts keeps it, unless all subtypes have the same list. */
  #chosenBy(stated: unknown, values: readonly string[]): unknown {
    const { enum: listed, const: only, ...words } = this.#document.object(stated) ?? {};
    const isChoice =
      only === undefined && (!Array.isArray(listed) || (listed.length > 1 && values.every((value) => listed.includes(value))));
    return isChoice && values.length > 0 ? { type: 'string', ...words, enum: values } : (stated ?? { type: 'string' });
  }

  /** Within an `allOf`, a schema with subtypes is their common part. */
  #asBase(part: JsonObject): JsonObject {
    const choice = this.#subtypesOf(part);
    const { discriminator: _, ...own } = this.#document.object(part) ?? {};
    return choice ? own : part;
  }

  /** Documents wrap a reference in an `allOf` to add texts. A subtype without fields looks the same. */
  #wrappedChoice(schema: JsonObject, [part, ...others]: readonly unknown[]): JsonObject | undefined {
    const { allOf: _, ...words } = schema;
    if (others.length > 0 || !isObject(part) || !Object.keys(words).every(isAnnotation)) return undefined;
    const choice = this.#subtypesOf(part);
    return choice && !choice.subtypes.some((subtype) => subtype.schema === schema) ? { ...words, ...part } : undefined;
  }

  #convertAllOf(schema: JsonObject, parts: readonly unknown[], place: Place): JsonSchema {
    const wrapped = this.#wrappedChoice(schema, parts);
    if (wrapped) return this.#convertObject(wrapped, place);
    const merged = plainObject({ ...schema, allOf: parts }, this.#document);
    if (merged) return this.#convertPlain(merged, place);
    const { allOf: _, ...own } = schema;
    const telling = parts.filter(
      (part): part is JsonObject => isObject(part) && Object.keys(part).some((keyword) => !isAnnotation(keyword)),
    );
    const words = Object.assign({}, ...parts.filter((part) => isObject(part) && !telling.includes(part as JsonObject)), own);
    if (telling.length === 1 && Object.keys(own).every(isAnnotation)) return this.#convertObject({ ...telling[0], ...words }, place);
    const all = telling.map((part) => this.#convert(this.#asBase(part), place));
    return { ...this.#convertPlain(words, place), ...(all.length > 0 && { allOf: all }) };
  }

  #convertPlain(schema: JsonObject, place: Place): JsonSchema {
    const below = { from: place.from, level: place.level + 1, inPlace: false };
    const { properties, patternProperties, required, items, prefixItems, additionalProperties, anyOf, oneOf } = schema;
    const converted: JsonSchema = this.#values(schema);
    if (isObject(properties)) {
      const fields = this.#fields(properties, place);
      converted.properties = Object.fromEntries(fields.map(([name, field]) => [name, this.#convert(field, below)]));
      const dropped = Object.keys(properties).length > fields.length;
      const names = namesIn(required).filter(
        (name) => !dropped || !Object.hasOwn(properties, name) || fields.some(([field]) => field === name),
      );
      if (names.length > 0) converted.required = names;
    } else if (namesIn(required).length > 0) {
      converted.required = namesIn(required);
    }
    // Properties by pattern are left out, so others may be present.
    const isClosed = typeof additionalProperties === 'boolean' && !isObject(patternProperties);
    if (isClosed && !this.#isResult) converted.additionalProperties = additionalProperties;
    else if (isObject(additionalProperties) && Object.keys(additionalProperties).length > 0)
      converted.additionalProperties = this.#convert(additionalProperties, below);
    const tuple = Array.isArray(items) ? items : prefixItems;
    if (Array.isArray(tuple) && tuple.length > 0) converted.prefixItems = tuple.map((item) => this.#convert(item, below));
    else if (isObject(items)) converted.items = this.#convert(items, below);
    // Several forms may fit a converted schema that is less strict.
    const forms = [anyOf, oneOf].filter((list) => Array.isArray(list) && list.length > 0) as unknown[][];
    const converts = forms.map((list) => ({ anyOf: list.map((form) => this.#convertForm(schema, form, place)) }));
    if (converts.length === 1) Object.assign(converted, converts[0]);
    else if (converts.length > 1) converted.allOf = converts;
    for (const { anyOf: list } of converts) this.#spend(Math.floor(list.length ** 2 / 500));
    return converted;
  }

  #convertForm(schema: JsonObject, form: unknown, place: Place): JsonSchema | boolean {
    const chosen = this.#limits.hasSubtypes ? chosenForm(schema, form, this.#document) : undefined;
    const properties = chosen && plainObject(chosen.schema, this.#document)?.properties;
    const stated = chosen && isObject(properties) ? properties[chosen.property] : undefined;
    // A form that states its text itself can stay a reference.
    const isStated = chosen && stated !== undefined && this.#chosenBy(stated, chosen.values) === stated;
    return chosen && !isStated ? this.#convertSubtype(chosen, chosen.property, place) : this.#convert(form, place);
  }

  /**
   * Fields of requests without fields that only answers have, and the reverse. A parameter, on the first level, always belongs to a request.
   */
  #fields(properties: JsonObject, { from, level }: Place): [string, unknown][] {
    return Object.entries(properties).filter(([name, field]) => {
      if (name === '__proto__' || !isShownText(name)) return false;
      if (this.#isResult) return !isWriteOnly(field, this.#document);
      return (from === undefined && level === 0) || !isReadOnly(field, this.#document);
    });
  }

  /** Keywords without subschemas. */
  #values(schema: JsonObject): JsonSchema {
    const converted: JsonSchema = { ...this.#type(schema), ...this.#words(schema) };
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword !== 'default' && isGoodKeyword(keyword, value)) converted[keyword] = value;
    }
    for (const [bound, exclusive] of BOUNDS) {
      if (schema[exclusive] !== true || converted[bound] === undefined) continue;
      converted[exclusive] = converted[bound];
      delete converted[bound];
    }
    const values = converted.enum;
    if (Array.isArray(values)) {
      this.#spend(Math.floor(values.length / VALUES_PER_PART));
      if (schema.nullable === true && !values.includes(null)) converted.enum = [...values, null];
      // A text "1" of an integer: the API accepts these values.
      if (!values.some((value) => fitsType(value, converted.type))) delete converted.type;
    }
    const whole = withDigits(converted, schema);
    return this.#isResult ? Object.fromEntries(Object.entries(whole).filter(([keyword]) => RESULT_KEYWORDS.has(keyword))) : whole;
  }

  #type({ type, nullable, properties, items }: JsonObject): JsonSchema {
    const known = [type].flat().flatMap((name) => {
      const found = typeof name === 'string' ? (JSON_TYPES.has(name) ? name : FOREIGN_TYPES[name.toLowerCase()]) : undefined;
      return found ? [found] : [];
    });
    // An unknown type, such as `any`, beside known ones.
    const all = known.length < [type].flat().length ? [] : known;
    if (all.length === 0 && type === undefined && isObject(properties)) all.push('object');
    if (all.length === 0 && type === undefined && isObject(items)) all.push('array');
    if (all.length > 0 && nullable === true) all.push('null');
    const types = [...new Set(all)];
    return types.length === 0 ? {} : { type: types.length === 1 ? types[0] : types };
  }

  #words({ title, description, default: value }: JsonObject): JsonSchema {
    const text = [description, title].find((each) => typeof each === 'string' && each.trim() !== '');
    const words: JsonSchema = {};
    if (typeof text === 'string' && this.#limits.textChars > 0) words.description = limitText(plainText(text), this.#limits.textChars);
    if (!this.#isResult && isGoodKeyword('default', value)) words.default = value;
    return words;
  }

  /** A schema that is too deep: its type and texts. */
  #named(schema: JsonObject): JsonSchema {
    const target = this.#document.object(schema);
    const object = plainObject(schema, this.#document);
    return { ...this.#type(object ?? target ?? {}), ...this.#words({ ...target, ...schema }) };
  }

  #spend(parts: number): void {
    this.#partsLeft -= parts;
    if (this.#partsLeft < 0) throw new TooManyParts();
  }
}

function namesIn(required: unknown): string[] {
  return Array.isArray(required) ? [...new Set(required.filter((name) => typeof name === 'string' && isShownText(name)))] : [];
}

function annotationsOf(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => isAnnotation(keyword)));
}

function withoutAnnotations(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !isAnnotation(keyword)));
}

function fitsType(value: unknown, type: unknown): boolean {
  if (type === undefined) return true;
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return [type].flat().some((name) => name === own || (name === 'integer' && own === 'number'));
}
