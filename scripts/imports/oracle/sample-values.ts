/** Values of a document's own schemas. Texts have characters that a careless writer changes. */
import { isObject, type JsonObject } from '../../../src/protocol/json-object.ts';
import type { DocumentRules } from './document-rules.ts';

/** Where the value is: a header has ASCII only, and `file` is a body in parts, where bytes are a file. */
export type Place = 'path' | 'query' | 'header' | 'cookie' | 'body' | 'file';

const TEXTS: Record<Place, string> = {
  path: 'ä b,c&d=1+2%20"',
  query: 'ä b,c&d=1+2%20"#/',
  header: 'a b=1',
  cookie: 'a b;c=1',
  body: 'ä b,c&d=1+2%20"#/\n',
  file: 'ä b,c&d=1+2%20"',
};
const FORMATS: Record<string, string> = {
  date: '2026-01-02',
  'date-time': '2026-01-02T03:04:05Z',
  uuid: '8c5a4f0e-7d3b-4a53-9d1c-2f1f4a8c9b10',
  uri: 'https://example.com/a?b=c&d',
  byte: 'aGVsbG8+Pw==',
};
const MAX_LEVEL = 4;
const FILE_BYTES = Buffer.from([0, 255, 13, 10, 45, 45]);

/** A file, as a payload and as the bytes that must arrive. */
export interface SampleFile {
  filename: string;
  contentType: string;
  base64: string;
}

export class SampleValues {
  readonly #rules: DocumentRules;
  readonly #all: boolean;

  /** @param all with optional fields. Otherwise: with the required ones */
  constructor(rules: DocumentRules, all: boolean) {
    this.#rules = rules;
    this.#all = all;
  }

  /** @param separator no text of a list has it */
  value(schema: unknown, place: Place, { separator = '', level = 0 } = {}): unknown {
    const { found, type, parts } = this.#read(schema);
    if (found.const !== undefined) return found.const;
    if (Array.isArray(found.enum) && found.enum.length > 0) return found.enum.find((each) => each !== null);
    if (isFile(found) && place === 'file') return sampleFile();
    const form = [found.oneOf, found.anyOf].flatMap((list) => (Array.isArray(list) ? list : [])).at(0);
    if (type === 'object' || parts.some(({ properties }) => isObject(properties))) return this.#object(parts, place, level);
    if (form !== undefined && type === undefined) return this.value(form, place, { separator, level: level + 1 });
    if (type === 'array') {
      if (level >= MAX_LEVEL) return [];
      const item = this.value(found.items ?? {}, place, { separator, level: level + 1 });
      return level === 0 && typeof item === 'string' && !this.#isEnum(found.items) ? [item, `2${item}`] : [item];
    }
    if (type === 'integer') return Number(found.minimum ?? 7);
    if (type === 'number') return 1.5;
    if (type === 'boolean') return true;
    if (type === 'null') return null;
    const text = FORMATS[String(found.format)] ?? TEXTS[place];
    return separator === '' ? text : text.replaceAll(separator, '');
  }

  /** The schema with what its references and `allOf` lead to. */
  #read(schema: unknown): { found: JsonObject; type: unknown; parts: JsonObject[] } {
    const parts = this.#parts(schema, new Set());
    const found: JsonObject = Object.assign({}, ...parts);
    const known = [found.type].flat().find((type) => type !== 'null' && type !== undefined);
    const type = known ?? (isObject(found.items) ? 'array' : isObject(found.additionalProperties) ? 'object' : undefined);
    return { found, type, parts };
  }

  #parts(schema: unknown, seen: ReadonlySet<unknown>): JsonObject[] {
    if (!isObject(schema) || seen.has(schema)) return [];
    const under = new Set([...seen, schema]);
    const target = typeof schema.$ref === 'string' ? this.#parts(this.#rules.object(schema), under) : [];
    const all = Array.isArray(schema.allOf) ? schema.allOf.flatMap((part) => this.#parts(part, under)) : [];
    return [...target, ...all, schema];
  }

  #object(parts: readonly JsonObject[], place: Place, level: number): JsonObject {
    const properties = new Map(parts.flatMap((part) => (isObject(part.properties) ? Object.entries(part.properties) : [])));
    const required = new Set(parts.flatMap((part) => (Array.isArray(part.required) ? part.required : [])));
    const chosen = [...properties].filter(([name, property]) => {
      const isReadOnly = isObject(property) && (property.readOnly === true || this.#rules.object(property)?.readOnly === true);
      return !isReadOnly && name !== '__proto__' && (required.has(name) || (this.#all && level < MAX_LEVEL));
    });
    const entries = chosen.map(([name, property]) => [name, this.value(property, place, { level: level + 1 })] as const);
    const open = parts.findLast(({ additionalProperties }) => isObject(additionalProperties))?.additionalProperties;
    const isMap = parts.every((part) => part.properties === undefined) && this.#all && level < MAX_LEVEL;
    return Object.fromEntries(isMap ? [['key', this.value(open ?? {}, place, { level: level + 1 })]] : entries);
  }

  #isEnum(schema: unknown): boolean {
    return this.#read(schema).found.enum !== undefined;
  }
}

export function isFile({ type, format, contentMediaType, contentEncoding }: JsonObject): boolean {
  if (type === 'file' || (format === 'binary' && (type === 'string' || type === undefined))) return true;
  return typeof contentMediaType === 'string' && contentEncoding === undefined && !/json|^text\//.test(contentMediaType);
}

export function sampleFile(): SampleFile {
  return { filename: 'a b.bin', contentType: 'image/png', base64: FILE_BYTES.toString('base64') };
}

export function isSampleFile(value: unknown): value is SampleFile & JsonObject {
  return isObject(value) && typeof value.base64 === 'string' && typeof value.filename === 'string';
}
