/**
 * Turns Ajv's errors into short issues for a model: path, expected and actual value, and the piece of schema.
 *
 * Shape:  at most `MAX_ISSUES`, in the order of the schema. The misses of all forms of an `anyOf` are folded into one issue.
 */
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { PayloadIssue } from '#sdk/protocol/errors';
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { inWords, shorten } from './in-words';
import { below } from './json-pointer';
import type { LinkedNode } from './linked-schema';

const MAX_ISSUES = 8;
const MAX_PIECE_CHARS = 300;
/** `"":1,` */
const MIN_PART_CHARS = 5;
const MAX_PATH_CHARS = 1_000;
const MAX_LISTED_CHARS = 200;
/** Findings that are formatted, before duplicates are removed. */
const MAX_WORDED = 50;

type Nodes = ReadonlyMap<unknown, LinkedNode>;

/** Keywords that fail because of errors below them. Ajv lists those errors directly before. */
const FOLDING: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'propertyNames']);

interface Finding {
  error: ErrorObject;
  /** Findings of the forms that did not fit. */
  misses: Finding[];
}

export function payloadIssues(errors: readonly ErrorObject[], nodes: Nodes): PayloadIssue[] {
  const issues = new Map<string, PayloadIssue>();
  for (const finding of folded(errors, nodes).slice(0, MAX_WORDED)) {
    const path = shorten(pathOf(finding.error), MAX_PATH_CHARS);
    const message = messageOf(finding);
    const key = `${path}\n${message}`;
    if (!issues.has(key)) issues.set(key, { path, message, schema: smallPiece(pieceOf(finding.error, nodes), MAX_PIECE_CHARS) });
    if (issues.size === MAX_ISSUES) break;
  }
  return [...issues.values()];
}

function folded(errors: readonly ErrorObject[], nodes: Nodes): Finding[] {
  const findings: Finding[] = [];
  for (const error of errors) {
    if (error.keyword === 'if') continue; // the errors of `then` or `else` are listed already
    const misses: Finding[] = [];
    if (FOLDING.has(error.keyword)) {
      for (let last = findings.at(-1); last && isBelow(last.error, error, nodes); last = findings.at(-1)) {
        misses.unshift(last);
        findings.pop();
      }
    }
    findings.push({ error, misses });
  }
  return findings;
}

function isBelow(inner: ErrorObject, outer: ErrorObject, nodes: Nodes): boolean {
  if (inner.instancePath !== outer.instancePath && !inner.instancePath.startsWith(`${outer.instancePath}/`)) return false;
  const chain = holders(inner.parentSchema, nodes);
  // An error behind a reference has its own root, and is below `outer`.
  return (
    (chain.includes(outer.parentSchema) && inner.parentSchema !== outer.parentSchema) ||
    chain.at(-1) !== holders(outer.parentSchema, nodes).at(-1)
  );
}

/** The schema and its enclosing schemas, innermost first. */
function holders(schema: JsonSchema | undefined, nodes: Nodes): (JsonSchema | undefined)[] {
  const chain: (JsonSchema | undefined)[] = [];
  for (let at = schema; at !== undefined; at = nodes.get(at)?.holder) chain.push(at);
  return chain;
}

function pathOf({ instancePath, params, propertyName }: ErrorObject): string {
  const name = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName ?? propertyName;
  return typeof name === 'string' ? below(instancePath, name) : instancePath;
}

function pieceOf({ keyword, params, schema, parentSchema }: ErrorObject, nodes: Nodes): unknown {
  const origin = nodes.get(parentSchema)?.origin;
  if (origin === undefined) return schema;
  const property = isObject(origin.properties) ? origin.properties[params.missingProperty] : undefined;
  if (keyword === 'required') return property ?? { required: [params.missingProperty] };
  return { [keyword]: origin[keyword] ?? schema };
}

function messageOf({ error, misses }: Finding): string {
  const { keyword, schema, params, data } = error;
  const got = `, got ${inWords(data)}`;
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'dependentRequired':
      return `is required when ${inWords(params.property)} is there`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `is not allowed${knownNames(error)}`;
    case 'type':
      return `must be ${[schema].flat().join(' or ')}${got}${isLargeNumber(data) ? `; this action takes no number beyond ${Number.MAX_SAFE_INTEGER}` : ''}`;
    case 'enum':
      return `must be one of ${listed(schema)}${got}`;
    case 'const':
      return `must be ${shorten(JSON.stringify(schema), 100)}${got}`;
    case 'minimum':
      return `must be >= ${schema}${got}`;
    case 'maximum':
      return `must be <= ${schema}${got}`;
    case 'exclusiveMinimum':
      return `must be > ${schema}${got}`;
    case 'exclusiveMaximum':
      return `must be < ${schema}${got}`;
    case 'multipleOf':
      return `must be a multiple of ${schema}${got}`;
    case 'minLength':
      return `must have at least ${schema} characters${got}`;
    case 'maxLength':
      return `must have at most ${schema} characters, got ${(data as string).length}`;
    case 'pattern':
      return `must match the pattern ${shorten(String(schema), 100)}${got}`;
    case 'minItems':
      return `must have at least ${schema} items, got ${(data as unknown[]).length}`;
    case 'maxItems':
    case 'items':
    case 'unevaluatedItems':
      return `must have at most ${params.limit ?? params.len ?? 0} items, got ${(data as unknown[]).length}`;
    case 'minProperties':
      return `must have at least ${schema} properties, got ${params.count}`;
    case 'maxProperties':
      return `must have at most ${schema} properties, got ${params.count}`;
    case 'uniqueItems':
      return 'must have no item twice';
    case 'contains':
      return `must have ${countOfContains(error)} that fit "contains"`;
    case 'propertyNames':
      return `is not an allowed name${nearest(misses)}`;
    case 'anyOf':
    case 'oneOf':
      return formsMessage(error, misses, got);
    case 'not':
      return `must not fit "not"${got}`;
    default:
      return `is not allowed${got}`;
  }
}

/** A large integer is a text, since a number would lose digits. */
function isLargeNumber(data: unknown): boolean {
  return typeof data === 'string' && /^-?\d{16,}$/.test(data) && !Number.isSafeInteger(Number(data));
}

function formsMessage({ keyword, schema, params, instancePath }: ErrorObject, misses: Finding[], got: string): string {
  if (Array.isArray(params.passingSchemas))
    return `must fit exactly one form of ${keyword}, fits forms ${params.passingSchemas.join(' and ')}`;
  const types = misses.map(({ error }) => (error.keyword === 'type' && error.instancePath === instancePath ? error.schema : undefined));
  if (types.length > 0 && !types.includes(undefined)) return `must be ${[...new Set(types.flat())].join(' or ')}${got}`;
  return `must fit one of the ${(schema as unknown[]).length} forms of ${keyword}${nearest(misses)}`;
}

/** The deepest miss is most likely in the form that the model meant. */
function nearest(misses: Finding[]): string {
  const depth = ({ error }: Finding) => pathOf(error).split('/').length;
  const best = misses.reduce<Finding | undefined>(
    (deepest, miss) => (deepest && depth(deepest) >= depth(miss) ? deepest : miss),
    undefined,
  );
  if (!best) return '';
  const path = pathOf(best.error);
  return `; nearest: ${path === '' ? '' : `${shorten(path, MAX_PATH_CHARS)}: `}${messageOf(best)}`;
}

function countOfContains({ parentSchema }: ErrorObject): string {
  const { minContains = 1, maxContains } = parentSchema ?? {};
  return `at least ${minContains}${maxContains === undefined ? '' : ` and at most ${maxContains}`} items`;
}

function knownNames({ parentSchema }: ErrorObject): string {
  const names = isObject(parentSchema?.properties) ? Object.keys(parentSchema.properties) : [];
  return names.length === 0 ? '' : `; allowed: ${shorten(names.join(', '), MAX_LISTED_CHARS)}`;
}

function listed(values: unknown): string {
  // A listed value takes at least two characters.
  const first = (values as unknown[]).slice(0, MAX_LISTED_CHARS / 2);
  return shorten(first.map((value) => JSON.stringify(value)).join(', '), MAX_LISTED_CHARS);
}

/** The value if its JSON is short; else the first parts that fit. */
function smallPiece(value: unknown, maxChars: number): unknown {
  if ((JSON.stringify(value) ?? '').length <= maxChars) return value;
  if (typeof value === 'string') return shorten(value, Math.max(maxChars - 2, 1));
  if (typeof value !== 'object' || value === null) return value;
  let room = maxChars - 2;
  const parts: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (room < MIN_PART_CHARS) break;
    const small = smallPiece(item, Math.floor(maxChars / 2));
    const chars = key.length + JSON.stringify(small).length + 4;
    if (chars > room) continue;
    room -= chars;
    parts.push([key, small]);
  }
  return Array.isArray(value) ? parts.map(([, item]) => item) : Object.fromEntries(parts);
}
