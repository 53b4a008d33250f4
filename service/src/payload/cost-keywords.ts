/**
 * The keywords that linked-schema.ts adds, so that the compiled code meters its work and stops after enough errors.
 *
 * Source: Ajv's code generation; `errors` and `vErrors` are its names for the errors of the function so far.
 */
import { _, type CodeKeywordDefinition, type KeywordCxt, Name } from 'ajv/dist/2020.js';
import type { CheckMeter } from './check-meter';
import { COST_KEYWORD, ERRORS_KEYWORD, LONG_NAME_KEYWORD, NEVER_KEYWORD, STOP_KEYWORD } from './linked-schema';

/** A function stops after so many errors: enough for good messages, few enough for an array of a million wrong items. */
const MAX_ERRORS = 200;
/** A name up to this length costs at most as much as the rest of the loop body. */
const SHORT_NAME_CHARS = 64;
/**
 * Names above this length cost more per character: replacing many slashes leaves garbage, whose collection takes longer than the replacing.
 */
const VERY_LONG_NAME_CHARS = 512;
const VERY_LONG_NAME_FACTOR = 8;

/** Made when a schema is compiled: Ajv is loaded then. */
const errorsName = () => new Name('errors');

export function costKeywords(meter: CheckMeter): CodeKeywordDefinition[] {
  return [costKeyword(meter), longNameKeyword(meter), stopKeyword, neverKeyword, errorsKeyword(meter)];
}

function costKeyword(meter: CheckMeter): CodeKeywordDefinition {
  return {
    keyword: COST_KEYWORD,
    before: '$ref',
    code({ gen, schema, data, it }: KeywordCxt) {
      const meterName = gen.scopeValue('obj', { ref: meter });
      gen.if(_`(${meterName}.left -= ${schema}) < 0`, _`${meterName}.renew()`);
      // A function merges the evaluated names of the functions that it calls.
      if (it.opts.unevaluated) gen.if(isObject(data), _`${meterName}.namesOf(${data})`);
      // Replaces `Object.keys` in Ajv's loops over properties.
      gen.forIn = (name, object, body) => gen.forOf(name, _`${meterName}.namesOf(${object})`, body);
    },
  };
}

function isObject(data: Name) {
  return _`typeof ${data} == "object" && ${data} && !Array.isArray(${data})`;
}

/** Long names cost extra: in a loop over properties, the path of each error and of each called function contains the name. */
function longNameKeyword(meter: CheckMeter): CodeKeywordDefinition {
  return {
    keyword: LONG_NAME_KEYWORD,
    before: '$ref',
    code({ gen, schema, it }: KeywordCxt) {
      const chars = _`${it.parentDataProperty}.length`;
      const unitsName = gen.scopeValue('func', { ref: unitsOfLongName });
      const meterName = gen.scopeValue('obj', { ref: meter });
      gen.if(_`${chars} > ${SHORT_NAME_CHARS}`, _`${meterName}.spend(${unitsName}(${chars}, ${schema}))`);
    },
  };
}

function unitsOfLongName(chars: number, bodyUnits: number): number {
  return chars * bodyUnits * (chars > VERY_LONG_NAME_CHARS ? VERY_LONG_NAME_FACTOR : 1);
}

const stopKeyword: CodeKeywordDefinition = {
  keyword: STOP_KEYWORD,
  before: '$ref',
  code({ gen, it }: KeywordCxt) {
    gen.if(_`${errorsName()} >= ${MAX_ERRORS}`, () => gen.assign(_`${it.validateName}.errors`, new Name('vErrors')).return(false));
  },
};

const neverKeyword: CodeKeywordDefinition = { keyword: NEVER_KEYWORD, code: (cxt) => cxt.fail(_`true`) };

/** Meters the errors at the end of a function, which its caller copies. The square accounts for memory. */
function errorsKeyword(meter: CheckMeter): CodeKeywordDefinition {
  return {
    keyword: ERRORS_KEYWORD,
    post: true,
    code({ gen }: KeywordCxt) {
      const meterName = gen.scopeValue('obj', { ref: meter });
      const errors = errorsName();
      gen.if(_`${errors} > 0`, _`${meterName}.spend(${errors} * 4 + ${errors} * ${errors} / 256)`);
    },
  };
}
