/**
 * Reads a request that left as a server would that knows the document, and compares it with the values that were put in.
 *
 * Shape:  each function returns the problems that it found, as texts; none: the request is exact.
 * Source: OpenAPI 2.0 "collectionFormat"; OpenAPI 3.1.1 "Style Values"; RFC 6570; RFC 7578.
 */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../../src/protocol/json-object.ts';
import { bareType, type MediaRule, type ParameterRule, type Writing } from './document-rules.ts';
import { isSampleFile } from './sample-values.ts';

/** Both as they were sent. */
export type RawPair = readonly [name: string, value: string];

const NAMED: Writing = { style: 'form', explode: true, separator: ',' };

/** @param path as it was sent, without the path of the base */
export function pathProblems(template: string, path: string, given: readonly (readonly [ParameterRule, unknown])[]): string[] {
  const names: string[] = [];
  const pattern = template
    .split(/(\{[^{}]+\})/)
    .map((part) => {
      if (!/^\{[^{}]+\}$/.test(part)) return escaped(new URL(`https://x.example/${part}`).pathname.slice(1));
      names.push(part.slice(1, -1));
      return '([^/]*?)';
    })
    .join('');
  const found = new RegExp(`^${template.startsWith('/') ? '' : '/'}${pattern}$`).exec(path);
  if (!found) return [`path ${path}`];
  // The parts of `{id}{extension}` cannot be told apart, but together they can be compared.
  const values = new Map(given.map(([{ name }, value]) => [name, asText(value)]));
  const whole = template.replace(/\{([^{}]+)\}/g, (_, name: string) => values.get(name) ?? '');
  if (template.includes('}{') && decode(path.replaceAll('+', '%2B')) === whole) return [];
  return given.flatMap(([{ name, writing }, value]) => {
    const raw = found[names.indexOf(name) + 1] ?? '';
    return readsAs(withoutPrefix(raw, name, writing), value, writing) ? [] : [`path parameter ${name}: ${raw}`];
  });
}

/** Parameters of a query. Pairs that none of them explains are problems. */
export function queryProblems(sent: readonly RawPair[], given: readonly (readonly [ParameterRule, unknown])[]): string[] {
  const rest = [...sent];
  const problems = given.flatMap(([{ name, writing }, value]) => namedProblems(rest, name, value, writing, 'query parameter'));
  return [...problems, ...rest.map(([name]) => `query has another ${name}`)];
}

export function headerProblem({ name, writing }: ParameterRule, value: unknown, sent: string | undefined): string[] {
  const isSame =
    sent !== undefined && (writing.style === 'json' ? isJson(sent, value) : isDeepStrictEqual(plainText(value, writing), sent));
  return isSame ? [] : [`header ${name}: ${sent}`];
}

export function cookieProblem({ name }: ParameterRule, value: unknown, sent: readonly RawPair[]): string[] {
  const [pair] = sent.filter(([each]) => decode(each) === name);
  return pair && decode(pair[1]) === plainText(value, NAMED) ? [] : [`cookie ${name}: ${pair?.[1]}`];
}

export function bodyProblems(
  type: string,
  rule: MediaRule,
  body: Buffer,
  contentType: string,
  value: unknown,
): Promise<string[]> | string[] {
  if (isSampleFile(value)) return body.equals(Buffer.from(value.base64, 'base64')) ? [] : ['body: other bytes'];
  if (type.startsWith('multipart/')) return partProblems(rule, body, contentType, isObject(value) ? value : {});
  const text = body.toString();
  // OpenAPI has no rule for a form without fields.
  if (type === 'application/x-www-form-urlencoded') return isObject(value) ? formProblems(rule, text, value) : [];
  if (text === value) return [];
  return isJson(text, value) ? [] : [`body: ${text.slice(0, 200)} for ${JSON.stringify(value)?.slice(0, 200)}`];
}

function formProblems(rule: MediaRule, text: string, value: JsonObject): string[] {
  const rest = rawPairs(text);
  const problems = Object.entries(value).flatMap(([name, field]) => {
    const { writing, contentType = '' } = rule.fields.get(name) ?? {};
    const isJsonField = /json/.test(contentType) && typeof field === 'object';
    return namedProblems(rest, name, field, isJsonField ? { ...NAMED, style: 'json' } : writing, 'field');
  });
  return [...problems, ...rest.map(([name]) => `body has another field ${name}`)];
}

async function partProblems(rule: MediaRule, body: Buffer, contentType: string, value: JsonObject): Promise<string[]> {
  const parts = readParts(body, contentType);
  const problems: string[] = [];
  for (const [name, field] of Object.entries(value)) {
    if (isNothing(field)) continue;
    const { writing, contentType: type } = rule.fields.get(name) ?? {};
    const own = parts.filter((part) => part.name === name);
    const isOneText = Array.isArray(field) && !field.some(isSampleFile) && writing?.explode === false;
    const items = Array.isArray(field) && !isOneText ? field : [field];
    const isSame = own.length === items.length && items.every((item, index) => isPart(own[index] as Part, item, type, writing));
    if (!isSame)
      problems.push(`part ${name}: ${own.map((part) => `${part.type} ${part.content.toString().slice(0, 60)}`).join(' | ') || 'none'}`);
  }
  const others = parts.filter(({ name }) => !Object.hasOwn(value, name)).map(({ name }) => `body has another part ${name}`);
  return [...problems, ...others];
}

function isPart(part: Part, item: unknown, said: string | undefined, writing: Writing | undefined): boolean {
  const types = said?.split(',').map(bareType) ?? [];
  if (isSampleFile(item)) {
    const isType = [...types, item.contentType].some(
      (type) => type === part.type || (type.endsWith('*') && part.type.startsWith(type.slice(0, -1))),
    );
    return isType && part.isFile && part.content.equals(Buffer.from(item.base64, 'base64'));
  }
  const text = part.content.toString();
  if (isObject(item)) return isJson(text, item) && (types.length > 0 ? types : ['application/json']).includes(part.type);
  const isType = types.length > 0 ? types.includes(part.type) : part.type === '' || part.type === 'text/plain';
  return isType && (text === plainText(item, writing ?? NAMED) || (types.some((type) => /json/.test(type)) && isJson(text, item)));
}

interface Part {
  name: string;
  isFile: boolean;
  /** Its parameters are left out. Empty: the part has no type. */
  type: string;
  content: Buffer;
}

function readParts(body: Buffer, contentType: string): Part[] {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;]+))/.exec(contentType) ?? [];
  const text = body.toString('latin1');
  const pieces = `\r\n${text}`.split(`\r\n--${quoted ?? plain}`).slice(1, -1);
  return pieces.map((piece) => {
    const end = piece.indexOf('\r\n\r\n');
    const head = Buffer.from(piece.slice(0, end), 'latin1').toString();
    const [, name = ''] = /;\s*name="([^"]*)"/i.exec(head) ?? [];
    const [, type = ''] = /content-type:\s*([^\r\n]+)/i.exec(head) ?? [];
    return {
      name: name.replaceAll('%22', '"').replaceAll('%0D%0A', '\r\n'),
      isFile: /filename=/i.test(head),
      type: bareType(type),
      content: Buffer.from(piece.slice(end + 4), 'latin1'),
    };
  });
}

/** `a=1&b=2` as pairs. */
export function rawPairs(text: string): RawPair[] {
  const parts = text.split('&').filter((part) => part !== '');
  return parts.map((part) => {
    const [name = '', ...value] = part.split('=');
    return [name, value.join('=')];
  });
}

/** Takes the pairs of that name out of `rest`. Without a writing, an object may be JSON or in brackets: OpenAPI leaves it open. */
function namedProblems(rest: RawPair[], name: string, value: unknown, writing: Writing | undefined, what: string): string[] {
  const own = take(rest, (each) => each === name || each.startsWith(`${name}[`));
  if (isNothing(value)) return [];
  const said = writing ?? NAMED;
  if (isObject(value) && said.style === 'form' && said.explode && writing) {
    return Object.entries(value).flatMap(([key, item]) => {
      // A list or an object within an object of a query is open; JSON is one way.
      const isDeep = typeof item === 'object';
      return namedProblems(rest, key, item, { ...NAMED, style: isDeep ? 'json' : 'form' }, `${what} ${name}`);
    });
  }
  const isDeep = own.length > 0 && own.every(([each]) => decode(each) !== name);
  if (isDeep && (said.style === 'deepObject' || !writing)) {
    return isDeepStrictEqual(readBrackets(own, name), leavesAsText(value)) ? [] : [`${what} ${name}: ${shown(own)}`];
  }
  const values = own.map(([, raw]) => raw);
  const isList =
    Array.isArray(value) && said.explode && said.style !== 'json' && !(writing === undefined && values.length === 1 && hasObject(value));
  const expected = isList ? value : [value];
  if (!isList && own.length > 1) {
    // Fields of two objects, or of an object and a parameter, may share a name: the others explain the other pairs.
    const index = values.findIndex((raw) => readsAs(raw, value, said));
    rest.push(...own.toSpliced(Math.max(index, 0), 1));
    return index >= 0 ? [] : [`${what} ${name}: ${shown(own)}`];
  }
  const isSame = values.length === expected.length && expected.every((item, index) => readsAs(values[index] as string, item, said));
  return isSame ? [] : [`${what} ${name}: ${shown(own)}`];
}

function take(rest: RawPair[], isOwn: (name: string) => boolean): RawPair[] {
  const own = rest.filter(([name]) => isOwn(decode(name)));
  for (const pair of own) rest.splice(rest.indexOf(pair), 1);
  return own;
}

/** True for one text, as it was sent, that means the value. */
function readsAs(raw: string, value: unknown, { style, explode, separator }: Writing): boolean {
  if (style === 'json') return isJson(decode(raw), value);
  const items = Array.isArray(value) ? value : undefined;
  if (items) return isDeepStrictEqual(splitList(raw, style === 'label' && explode ? '.' : separator), items.map(asText));
  if (!isObject(value)) return decode(raw) === asText(value);
  const entries = Object.entries(value).filter(([, item]) => !isNothing(item));
  const flat =
    explode && style !== 'form'
      ? entries.map(([key, item]) => `${key}=${asText(item)}`)
      : entries.flatMap(([key, item]) => [key, asText(item)]);
  const isSame = isDeepStrictEqual(splitList(raw, style === 'label' && explode ? '.' : separator), flat);
  return isSame || isJson(decode(raw), value);
}

/** A comma is sent as it is, and encoded within a value; other separators are always encoded, or should be. */
function splitList(raw: string, separator: string): string[] {
  const spellings =
    separator === ',' || separator === '.' ? [separator] : separator === ' ' ? ['%20', '+'] : [separator, encodeURIComponent(separator)];
  const found = spellings.find((each) => raw.includes(each));
  return (found === undefined ? [raw] : raw.split(found)).map(decode);
}

function withoutPrefix(raw: string, name: string, { style, explode }: Writing): string {
  if (style === 'label') return raw.replace(/^\./, '');
  if (style !== 'matrix') return raw;
  return explode ? raw.replaceAll(`;${name}=`, ',').replace(/^[,;]/, '').replaceAll(';', ',') : raw.replace(`;${name}=`, '');
}

function readBrackets(pairs: readonly RawPair[], name: string): unknown {
  const root: { value?: unknown } = {};
  for (const [raw, text] of pairs) {
    const steps = [
      ...decode(raw)
        .slice(name.length)
        .matchAll(/\[([^\]]*)\]/g),
    ].map(([, step = '']) => step);
    let holder = root as Record<string, unknown>;
    let key = 'value';
    for (const step of steps) {
      const isIndex = step === '' || /^\d+$/.test(step);
      holder[key] ??= isIndex ? [] : {};
      holder = holder[key] as Record<string, unknown>;
      key = step === '' ? String((holder as unknown as unknown[]).length) : step;
    }
    holder[key] = decode(text);
  }
  return root.value;
}

function leavesAsText(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isNothing(item)).map(leavesAsText);
  if (!isObject(value)) return asText(value);
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => (isNothing(item) ? [] : [[key, leavesAsText(item)]])));
}

/** The text of a value where nothing is encoded: a header, a part. */
function plainText(value: unknown, { explode, separator }: Writing): string {
  if (Array.isArray(value)) return value.map(asText).join(separator);
  if (!isObject(value)) return asText(value);
  return Object.entries(value)
    .flatMap(([key, item]) => (explode ? [`${key}=${asText(item)}`] : [key, asText(item)]))
    .join(',');
}

function asText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === 'object' && Object.values(value).every(isNothing);
}

function hasObject(value: unknown): boolean {
  return Array.isArray(value) && value.some((item) => typeof item === 'object');
}

function isJson(text: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
  } catch {
    return false;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function shown(pairs: readonly RawPair[]): string {
  return (
    pairs
      .map((pair) => pair.join('='))
      .join('&')
      .slice(0, 200) || 'none'
  );
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
