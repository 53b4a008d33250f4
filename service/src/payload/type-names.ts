/** Maps type names that people and models write to JSON Schema types. */
import { JSON_TYPES } from './schema-keywords';

export interface JsonType {
  type: string;
  format?: string;
}

const NAMES = new Map<string, JsonType>(
  Object.entries({
    string: 'str text char varchar',
    integer: 'int long short int32 int64 uint bigint',
    number: 'float double decimal num real float32 float64',
    boolean: 'bool',
    array: 'list tuple set',
    object: 'dict map record struct json hash',
    null: 'none nil',
  }).flatMap(([type, names]) => names.split(' ').map((name) => [name, { type }] as const)),
);
for (const [name, format] of Object.entries({
  date: 'date',
  datetime: 'date-time',
  'date-time': 'date-time',
  timestamp: 'date-time',
  time: 'time',
  uuid: 'uuid',
  email: 'email',
  uri: 'uri',
  url: 'uri',
})) {
  NAMES.set(name, { type: 'string', format });
}

/** Undefined for an unknown name. */
export function jsonTypeOf(name: unknown): JsonType | undefined {
  if (typeof name !== 'string') return undefined;
  const word = name.trim().toLowerCase();
  return JSON_TYPES.has(word) ? { type: word } : NAMES.get(word);
}
