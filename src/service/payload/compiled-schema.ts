/**
 * Compiles a schema to a function that checks payloads.
 *
 * Each schema gets an Ajv of its own, because an Ajv keeps all that it ever compiled. The parts of Ajv that take more than linear time, or trust the
 * schema, are replaced: patterns, `enum`, `const`, `uniqueItems`, lengths; see linked-schema.ts for the rest.
 *
 * Source: https://ajv.js.org/security.html and Ajv's code generation.
 */
import { _, Ajv2020, type CodeKeywordDefinition, type ErrorObject, type KeywordCxt, Name, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../protocol/http';
import type { CheckMeter } from './check-meter';
import { oneOfValues, uniqueItems } from './json-equality';
import { linearPatterns } from './linear-patterns';
import { COST_KEYWORD, type LinkedNode, linkSchema, STOP_KEYWORD } from './linked-schema';

type LinearPatterns = ReturnType<typeof linearPatterns>;
/** Functions of the schema, by their references; complete once it is compiled. */
type Definitions = ReadonlyMap<string, ValidateFunction>;

/** Errors of one function after which it stops: enough for good messages, few enough for an array of a million wrong items. */
const MAX_ERRORS = 200;

export interface CompiledSchema {
  /** Undefined for a good payload. Throws CheckTooCostly, and RangeError for nesting beyond the stack. */
  errorsOf(payload: unknown): ErrorObject[] | undefined;
  /** Keyed by `parentSchema` of an error. */
  nodes: ReadonlyMap<unknown, LinkedNode>;
}

/** Throws for a schema that Ajv cannot compile. */
export function compileSchema(schema: JsonSchema, meter: CheckMeter): CompiledSchema {
  const linked = linkSchema(schema);
  const definitions = new Map<string, ValidateFunction>();
  const validate = newAjv(meter, linked.usesUnevaluated, definitions).compile(linked.schema);
  for (const [name, ref] of Object.entries(validate.schemaEnv.refs)) {
    if (typeof ref === 'object' && ref.validate) definitions.set(name, ref.validate as ValidateFunction);
  }
  return {
    nodes: linked.nodes,
    errorsOf(payload) {
      if (validate(payload)) return undefined;
      const errors = validate.errors ?? [];
      // Each function keeps the errors of its last call, and they keep the payload.
      validate.errors = null;
      for (const definition of definitions.values()) definition.errors = null;
      return errors;
    },
  };
}

function newAjv(meter: CheckMeter, usesUnevaluated: boolean, definitions: Definitions): Ajv2020 {
  const patterns = linearPatterns(meter);
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true, // `1e999` is Infinity after JSON.parse and null on its way to the handler
    allErrors: true, // without it the code is nested as deep as the schema has properties
    verbose: true,
    messages: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    addUsedSchema: false,
    inlineRefs: false, // else a schema that is referred to often is copied as often
    ownProperties: true,
    multipleOfPrecision: 9, // 19.99 is a multiple of 0.01
    logger: false,
    code: { optimize: false, regExp: patterns },
  });
  // Ajv2020 always sets it; without it `anyOf` stops at the first form that fits.
  ajv.opts.unevaluated = usesUnevaluated;
  ajv.addKeyword(costKeyword(meter));
  ajv.addKeyword(stopKeyword);
  for (const keyword of ownKeywords(meter, patterns, definitions)) {
    ajv.removeKeyword(String(keyword.keyword));
    ajv.addKeyword(keyword);
  }
  return ajv;
}

function costKeyword(meter: CheckMeter): CodeKeywordDefinition {
  return {
    keyword: COST_KEYWORD,
    before: '$ref',
    code({ gen, schema }: KeywordCxt) {
      const meterName = gen.scopeValue('obj', { ref: meter });
      gen.if(_`(${meterName}.left -= ${schema}) < 0`, _`${meterName}.exhausted()`);
    },
  };
}

const stopKeyword: CodeKeywordDefinition = {
  keyword: STOP_KEYWORD,
  before: '$ref',
  code({ gen, it }: KeywordCxt) {
    // Ajv's names for the errors of the function so far.
    const enough = _`${new Name('errors')} >= ${MAX_ERRORS}`;
    gen.if(enough, () => gen.assign(_`${it.validateName}.errors`, new Name('vErrors')).return(false));
  },
};

function ownKeywords(meter: CheckMeter, patterns: LinearPatterns, definitions: Definitions): CodeKeywordDefinition[] {
  // Ajv takes quadratic time in the number of values that the code refers to: these are one, a list.
  const predicates: ((data: never) => boolean)[] = [];
  /** A keyword that is a function of schema value and data. */
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
  ];
}

/** Ajv's own keeps the errors of every item that does not fit. */
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

/** Characters (code points) of the text, counted no further than needed to tell it from `limit`. */
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
