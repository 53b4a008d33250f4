/**
 * `toolkits.yaml`: the imported toolkits, by their ids. `${NAME}` in a text is an environment variable, so that the file contains no secret.
 *
 * Errors: INVALID_REQUEST, whose message lists every fault with its place in the file.
 */
import { distance } from 'fastest-levenshtein';
import { SvcError } from 'svc-sdk';
import { parse } from 'yaml';
import * as z from 'zod';
import { toolkitAuth } from '#sdk/protocol/connection-schemas';
import { withoutBom } from '#sdk/protocol/decode-text';
import { isServiceVariable, replaceVariables } from '#sdk/protocol/environment-variables';
import { isToolkitId, toToolkitId } from '#sdk/protocol/ids';
import { isObject } from '#sdk/protocol/json-object';
import type { ConnectionChoice } from './connection-settings';
import type { McpConfig } from './mcp/config';
import type { OpenapiAuth } from './openapi/credentials';

const texts = z.array(z.string());
const textByName = z.record(z.string(), z.string());

const sessionConfig = {
  one: z.enum(['agent', 'user']).exactOptional(),
  maxSessions: z.int().positive().max(1_000).exactOptional(),
  idleMinutes: z.number().positive().max(10_000).exactOptional(),
};

const processConfig = z.strictObject({
  command: z.string().min(1),
  args: texts.exactOptional(),
  env: textByName.exactOptional(),
  cwd: z.string().min(1).exactOptional(),
  ...sessionConfig,
}) satisfies z.ZodType<McpConfig>;

const { from: source, type, ...authDetails } = toolkitAuth.shape;
const connection = z.strictObject({ from: source, type: type.exactOptional(), ...authDetails });

const httpConfig = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  headers: textByName.exactOptional(),
  auth: source.exactOptional(),
  ...sessionConfig,
}) satisfies z.ZodType<McpConfig>;

const operatorAuth = z.strictObject({
  bearer: z.string().exactOptional(),
  basic: z.string().exactOptional(),
  apiKey: z.string().exactOptional(),
  schemes: textByName.exactOptional(),
}) satisfies z.ZodType<OpenapiAuth>;

const openapiEntry = z.strictObject({
  file: z.string().min(1),
  from: z.string().min(1).exactOptional(),
  baseUrl: z.string().min(1).exactOptional(),
  auth: operatorAuth.exactOptional(),
  headers: textByName.exactOptional(),
  deprecated: z.boolean().exactOptional(),
}) satisfies z.ZodType<OpenapiEntry>;

const presentation = z.strictObject({
  include: texts.exactOptional(),
  exclude: texts.exactOptional(),
  describe: z.union([z.string().min(1), textByName]).exactOptional(),
  assume: z.literal('destructive').exactOptional(),
  long: texts.exactOptional(),
  onChange: z.enum(['hold', 'accept']).exactOptional(),
}) satisfies z.ZodType<Presentation>;

export interface OpenapiEntry {
  /** Relative to the folder of `toolkits.yaml`. */
  file: string;
  /** The origin that `svc-service toolkits update` reads again: an http(s) address, or a file relative to the folder. */
  from?: string;
  baseUrl?: string;
  /** Credentials of the operator, or whose connection each call has. */
  auth?: OpenapiAuth | ConnectionChoice;
  headers?: Record<string, string>;
  deprecated?: boolean;
}

/** The actions that agents see, and their texts. */
export interface Presentation {
  include?: string[];
  exclude?: string[];
  /** Name of an action -> its description; replaces the source's. Or a file of these, relative to the folder of `toolkits.yaml`. */
  describe?: string | Record<string, string>;
  /** Annotation of the actions whose source states none. */
  assume?: 'destructive';
  /** Names of actions that may take longer than their callers wait. */
  long?: string[];
  /** Holds or serves actions that differ from the approved ones. Default: `hold`. */
  onChange?: 'hold' | 'accept';
}

export type ToolkitEntry = Presentation & ({ mcp: McpConfig } | { openapi: OpenapiEntry });
export type ToolkitsFile = Record<string, ToolkitEntry>;
/** Variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>;

/** A word with more different letters is another word. */
const MAX_DISTANCE = 3;

/**
 * The entries as written, with `${NAME}` in their texts.
 *
 * @param name of the file, for error messages
 */
export function readToolkitsFile(text: string, name = 'toolkits.yaml'): ToolkitsFile {
  const mistakes: string[] = [];
  // A file with only comments below `toolkits:` has no value there.
  const schema = z.strictObject({ toolkits: z.record(z.string(), z.unknown()).nullish() });
  const file = checked(schema, parseYaml(text, name) ?? {}, [], mistakes);
  const entries = Object.entries(file?.toolkits ?? {}).map(([id, entry]) => [id, readEntry(id, entry, mistakes)] as const);
  if (mistakes.length > 0) throw invalid(`${name}: ${mistakes.join('; ')}`);
  return Object.fromEntries(entries) as ToolkitsFile;
}

/** One entry, checked like in `readToolkitsFile`. */
export function checkEntry(id: string, entry: unknown): ToolkitEntry {
  const mistakes: string[] = [];
  const checkedEntry = readEntry(id, entry, mistakes);
  if (mistakes.length > 0) throw invalid(mistakes.join('; '));
  return checkedEntry as ToolkitEntry;
}

/** Names of the entry's unset variables. */
export function missingVariables(entry: ToolkitEntry, env: Env): string[] {
  return variablesOf(entry).filter((name) => !env[name]);
}

/** Names of the entry's variables, each once. */
export function variablesOf(entry: ToolkitEntry): string[] {
  const names = new Set<string>();
  fill(entry, (name) => {
    names.add(name);
    return '';
  });
  return [...names];
}

/** The entry with the values of its variables. Throws INVALID_REQUEST, which names all unset ones. */
export function withVariables(entry: ToolkitEntry, env: Env): ToolkitEntry {
  const missing = missingVariables(entry, env);
  // A key of the service must not reach other programs.
  const filled = fill(entry, (name) => {
    if (isServiceVariable(name)) throw invalid(`\${${name}}: an imported toolkit gets no SVC_… variable`);
    return env[name] ?? '';
  });
  if (missing.length > 0) throw invalid(`set ${missing.join(', ')} in the environment`);
  return filled as ToolkitEntry;
}

/** The entry with the values of its set variables, for a preview. */
export function fillKnownVariables(entry: ToolkitEntry, env: Env): ToolkitEntry {
  return fill(entry, (name) => env[name] || `\${${name}}`) as ToolkitEntry;
}

function readEntry(id: string, entry: unknown, mistakes: string[]): unknown {
  if (!isToolkitId(id)) mistakes.push(`toolkits.${id}: no toolkit id; write "${toToolkitId(id)}"`);
  const path = ['toolkits', id];
  if (!isObject(entry)) {
    mistakes.push(`${path.join('.')}: give it mcp: { … } or openapi: { … }`);
    return undefined;
  }
  const { mcp, openapi, ...rest } = entry;
  if ((mcp === undefined) === (openapi === undefined)) mistakes.push(`${path.join('.')}: give it either mcp or openapi`);
  const shown = checked(presentation, rest, path, mistakes, ['mcp', 'openapi']);
  if (openapi !== undefined) return { ...shown, openapi: checked(openapiSchema(openapi), openapi, [...path, 'openapi'], mistakes) };
  return { ...shown, mcp: mcp && checked(mcpSchema(mcp), mcp, [...path, 'mcp'], mistakes) };
}

/** A union of the forms of `auth` would report the faults of all of them. */
function openapiSchema(openapi: unknown): z.ZodObject {
  const auth = isObject(openapi) ? openapi.auth : undefined;
  if (typeof auth === 'string') return openapiEntry.extend({ auth: source });
  return isObject(auth) && 'from' in auth
    ? openapiEntry.extend({ auth: connection.extend({ scheme: z.string().exactOptional() }) })
    : openapiEntry;
}

function mcpSchema(mcp: unknown): z.ZodObject {
  if (!isObject(mcp) || !('url' in mcp)) return processConfig;
  return isObject(mcp.auth) ? httpConfig.extend({ auth: connection }) : httpConfig;
}

/** @param others further allowed members of the object */
function checked<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
  path: readonly string[],
  mistakes: string[],
  others: readonly string[] = [],
): z.infer<Schema> | undefined {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  for (const issue of error.issues) {
    const place = [...path, ...issue.path].join('.') || 'the file';
    if (issue.code !== 'unrecognized_keys') mistakes.push(`${place}: ${issue.message}`);
    else
      for (const name of issue.keys)
        mistakes.push(`${place} has no "${name}"${didYouMean(name, [...namesAt(schema, issue.path), ...others])}`);
  }
  return undefined;
}

function namesAt(schema: z.ZodObject, path: readonly PropertyKey[]): string[] {
  let at: unknown = schema;
  for (const name of path) {
    at = at instanceof z.ZodObject ? at.shape[String(name)] : undefined;
    if (at instanceof z.ZodExactOptional) at = at.unwrap();
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function didYouMean(name: string, known: readonly string[]): string {
  const [nearest] = known.map((other) => ({ other, far: distance(name.toLowerCase(), other.toLowerCase()) })).sort((a, b) => a.far - b.far);
  return nearest && nearest.far <= MAX_DISTANCE ? `; did you mean "${nearest.other}"?` : `; it may have ${known.join(', ')}`;
}

function fill(value: unknown, read: (name: string) => string): unknown {
  if (typeof value === 'string') return replaceVariables(value, read);
  if (Array.isArray(value)) return value.map((item) => fill(item, read));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member, read)]));
}

function parseYaml(text: string, name: string): unknown {
  try {
    return parse(withoutBom(text));
  } catch (error) {
    throw invalid(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function invalid(message: string): SvcError {
  return new SvcError('INVALID_REQUEST', message);
}
