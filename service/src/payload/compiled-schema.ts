/**
 * Compiles a schema to a function that checks payloads.
 *
 * Each schema has its own Ajv, because an Ajv never drops what it compiled. The parts of Ajv that take more than linear time, or trust the
 * schema, are replaced by own-keywords.ts, closed-keywords.ts and linked-schema.ts.
 *
 * Source: https://ajv.js.org/security.html and Ajv's code generation.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '#sdk/protocol/http';
import type { CheckMeter } from './check-meter';
import { replaceClosedKeywords } from './closed-keywords';
import { costKeywords } from './cost-keywords';
import { linearPatterns } from './linear-patterns';
import { type LinkedNode, linkSchema } from './linked-schema';
import { type Definitions, ownKeywords } from './own-keywords';

/** Limits of kept errors and of characters in their paths: many times what an answer shows. */
const MAX_KEPT_ERRORS = 1_000;
const MAX_KEPT_PATH_CHARS = 100_000;

export interface CompiledSchema {
  /** Undefined for a valid payload; else the first errors. Throws CheckTooCostly, and RangeError when nesting overflows the stack. */
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
      try {
        return validate(payload) ? undefined : firstOf(validate.errors ?? []);
      } finally {
        forget(validate);
        for (const definition of definitions.values()) forget(definition);
      }
    },
  };
}

/** Drops references to the payload: a function of Ajv keeps the errors and evaluated names of its last call. */
function forget(validate: ValidateFunction): void {
  validate.errors = null;
  if (validate.evaluated?.dynamicProps) validate.evaluated.props = undefined as never;
}

function firstOf(errors: readonly ErrorObject[]): ErrorObject[] {
  let chars = 0;
  const end = errors.findIndex(({ instancePath }, i) => {
    chars += instancePath.length;
    return i > 0 && (i >= MAX_KEPT_ERRORS || chars > MAX_KEPT_PATH_CHARS);
  });
  return errors.slice(0, end === -1 ? undefined : end);
}

function newAjv(meter: CheckMeter, usesUnevaluated: boolean, definitions: Definitions): Ajv2020 {
  const patterns = linearPatterns(meter);
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true, // `1e999` is Infinity after JSON.parse and null on its way to the handler
    allErrors: true, // false would nest the code once per property of the schema
    verbose: true,
    messages: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    addUsedSchema: false,
    inlineRefs: false, // true would copy a schema once per reference
    loopRequired: 20, // above 20 required names, Ajv emits a loop instead of code per name
    ownProperties: true,
    multipleOfPrecision: 9, // 19.99 is a multiple of 0.01
    logger: false,
    code: { optimize: false, regExp: patterns },
  });
  // Ajv2020 always sets `unevaluated`; when unset, `anyOf` stops at the first form that fits.
  ajv.opts.unevaluated = usesUnevaluated;
  for (const keyword of costKeywords(meter)) ajv.addKeyword(keyword);
  for (const keyword of ownKeywords(meter, patterns, definitions)) {
    ajv.removeKeyword(String(keyword.keyword));
    ajv.addKeyword(keyword);
  }
  replaceClosedKeywords(ajv, patterns, meter);
  return ajv;
}
