/**
 * Replaces keywords whose schema is `false`, which forbid members or items. Ajv makes an error for each member; the replacements make as
 * few as an answer shows, and meter all names. Other schemas use Ajv's keywords.
 */
import { _, type Ajv2020, type Code, type CodeKeywordDefinition, type KeywordCxt, Name } from 'ajv/dist/2020.js';
import type { RegExpLike } from 'ajv/dist/types';
import { isObject } from '#sdk/protocol/json-object';
import type { CheckMeter } from './check-meter';
import type { linearPatterns } from './linear-patterns';

type IsAllowed = (name: string, evaluated: Evaluated) => boolean;
/** Names of properties that other keywords have checked; `true`: all. */
type Evaluated = Readonly<Record<string, boolean | undefined>> | true | undefined;

/** Limit of listed forbidden names. */
const MAX_LISTED = 8;

export function replaceClosedKeywords(ajv: Ajv2020, patterns: ReturnType<typeof linearPatterns>, meter: CheckMeter): void {
  // A single list, for the reason in own-keywords.ts.
  const finders: ((data: object, evaluated?: Evaluated) => readonly string[])[] = [];
  const forbidNames = (cxt: KeywordCxt, param: string, isAllowed: IsAllowed, evaluated?: Code) => {
    const { gen, data, it } = cxt;
    const index = finders.push((object, names) => forbiddenNames(object, isAllowed, names, meter)) - 1;
    const found = _`${gen.scopeValue('obj', { ref: finders })}[${index}](${evaluated ? _`${data}, ${evaluated}` : data})`;
    const names = gen.const('names', found);
    gen.forOf('name', names, (name) => {
      cxt.setParams({ [param]: name });
      cxt.error();
    });
    if (param !== 'propertyName') it.props = true;
    cxt.ok(_`${names}.length === 0`);
  };
  whenFalse(ajv, 'additionalProperties', (cxt) => {
    const { properties, patternProperties } = cxt.parentSchema;
    const known = new Set(namesIn(properties));
    const allowed = namesIn(patternProperties).map((pattern) => patterns(pattern) as RegExpLike);
    forbidNames(cxt, 'additionalProperty', (name) => known.has(name) || allowed.some((pattern) => pattern.test(name)));
  });
  whenFalse(ajv, 'unevaluatedProperties', (cxt) => {
    const { props } = cxt.it;
    if (props === true) return;
    if (props instanceof Name) forbidNames(cxt, 'unevaluatedProperty', isEvaluated, props);
    else forbidNames(cxt, 'unevaluatedProperty', (name) => isEvaluated(name, props));
  });
  whenFalse(ajv, 'propertyNames', (cxt) => forbidNames(cxt, 'propertyName', () => false));
  whenFalse(ajv, 'items', (cxt, original) => {
    if (cxt.parentSchema.prefixItems) return original(cxt);
    cxt.it.items = true;
    cxt.setParams({ len: 0 });
    cxt.pass(_`${cxt.data}.length === 0`);
  });
}

function whenFalse(ajv: Ajv2020, keyword: string, code: (cxt: KeywordCxt, original: CodeKeywordDefinition['code']) => void): void {
  const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
  const original = definition.code;
  definition.code = (cxt, ruleType) => (cxt.schema === false ? code(cxt, original) : original(cxt, ruleType));
}

function forbiddenNames(data: object, isAllowed: IsAllowed, evaluated: Evaluated, meter: CheckMeter): readonly string[] {
  const found: string[] = [];
  if (evaluated === true) return found;
  for (const name of meter.namesOf(data)) {
    if (isAllowed(name, evaluated)) continue;
    found.push(name);
    if (found.length === MAX_LISTED) break;
  }
  return found;
}

function isEvaluated(name: string, evaluated: Evaluated): boolean {
  return evaluated === true || (evaluated !== undefined && Object.hasOwn(evaluated, name));
}

function namesIn(map: unknown): string[] {
  return isObject(map) ? Object.keys(map) : [];
}
