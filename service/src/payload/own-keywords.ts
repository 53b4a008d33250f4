/** Metered keywords that replace Ajv's: each is a function of the keyword's value and the data. */
import { _, type CodeKeywordDefinition, type KeywordCxt, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '#sdk/protocol/http';
import type { CheckMeter } from './check-meter';
import { oneOfValues, uniqueItems } from './json-equality';
import type { linearPatterns } from './linear-patterns';

type LinearPatterns = ReturnType<typeof linearPatterns>;
/** Compiled functions by their references. Complete after the schema is compiled. */
export type Definitions = ReadonlyMap<string, ValidateFunction>;

export function ownKeywords(meter: CheckMeter, patterns: LinearPatterns, definitions: Definitions): CodeKeywordDefinition[] {
  // A single list for all predicates: Ajv takes quadratic time in the number of values that the code refers to.
  const predicates: ((data: never) => boolean)[] = [];
  const own = <Schema, Data>(
    keyword: string,
    make: (schema: Schema, holder: JsonSchema) => (data: Data) => boolean,
    type?: 'array' | 'string',
  ) => ({
    keyword,
    ...(type ? { type } : {}),
    code(cxt: KeywordCxt) {
      const index = predicates.push(make(cxt.schema, cxt.parentSchema)) - 1;
      cxt.fail(_`!${cxt.gen.scopeValue('obj', { ref: predicates })}[${index}](${cxt.data})`);
    },
  });
  return [
    own('enum', (allowed: unknown[]) => oneOfValues(allowed, meter)),
    own('const', (allowed: unknown) => oneOfValues([allowed], meter)),
    own('uniqueItems', (unique: boolean) => (unique ? uniqueItems(meter) : () => true), 'array'),
    own('minLength', (limit: number) => (text: string) => lengthUpTo(text, limit, meter) >= limit, 'string'),
    own('maxLength', (limit: number) => (text: string) => lengthUpTo(text, limit + 1, meter) <= limit, 'string'),
    own('contains', (name: string, { minContains, maxContains }) => containing(definitions, name, minContains, maxContains), 'array'),
    own(
      'pattern',
      (source: string) => {
        const pattern = patterns(source);
        return (text: string) => pattern.test(text);
      },
      'string',
    ),
    countedKeyword('minProperties', meter),
    countedKeyword('maxProperties', meter),
  ];
}

/** The number of properties is a parameter of the error, so that the message need not count again. */
function countedKeyword(keyword: 'minProperties' | 'maxProperties', meter: CheckMeter): CodeKeywordDefinition {
  return {
    keyword,
    type: 'object',
    error: { message: '', params: ({ params }) => _`{count: ${params.count}}` },
    code(cxt: KeywordCxt) {
      const { gen, schema, data } = cxt;
      const count = gen.const('count', _`${gen.scopeValue('obj', { ref: meter })}.namesOf(${data}).length`);
      cxt.setParams({ count });
      cxt.fail(keyword === 'minProperties' ? _`${count} < ${schema}` : _`${count} > ${schema}`);
    },
  };
}

/** Replaces Ajv's `contains`, which keeps the errors of every item that does not fit. */
function containing(definitions: Definitions, name: string, min: unknown = 1, max: unknown = Number.POSITIVE_INFINITY) {
  return (items: readonly unknown[]): boolean => {
    const fits = definitions.get(name);
    let found = 0;
    for (const item of items) {
      if (fits?.(item)) found++;
    }
    return found >= Number(min) && found <= Number(max);
  };
}

/** Characters (code points) of the text, counted only when `text.length` does not decide the comparison with `limit`. */
function lengthUpTo(text: string, limit: number, meter: CheckMeter): number {
  if (text.length < limit || text.length >= 2 * limit) return text.length;
  meter.spend(text.length >> 5);
  let length = text.length;
  for (let i = 1; i < text.length; i++) if (isLowSurrogate(text, i) && isHighSurrogate(text, i - 1)) length--;
  return length;
}

function isHighSurrogate(text: string, i: number): boolean {
  return (text.charCodeAt(i) & 0xfc00) === 0xd800;
}

function isLowSurrogate(text: string, i: number): boolean {
  return (text.charCodeAt(i) & 0xfc00) === 0xdc00;
}
