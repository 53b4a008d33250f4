/**
 * Calls every imported action against prism, a mock that checks each request with the original document: once with the required fields, once with
 * all.
 *
 * `npm run imports:prism -- FOLDER DOCUMENT [N]` installs prism into that folder, if it is not there, and prints how many calls it answered
 * with 2xx; with N, of each Nth action.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { importOpenapi } from '../src/import/index.ts';
import type { ActionContext, JsonSchema } from '../src/index.ts';
import { isObject } from '../src/protocol/json-object.ts';
import { LocalRefs } from '../src/service/payload/local-refs.ts';
import { ActionError } from '../src/toolkit/action-error.ts';

const PACKAGE = '@stoplight/prism-cli@5.16.0';
const START_MS = 300_000;
const CALL_MS = 20_000;
const MAX_SHOWN = 40;

const [folderName, documentPath, every = '1'] = process.argv.slice(2);
if (folderName === undefined || documentPath === undefined) {
  console.error('Name a folder for prism and a document: npm run imports:prism -- ~/prism api.json');
  process.exit(2);
}
const folder = resolve(folderName);
install();

async function roundTrip(baseUrl: string): Promise<void> {
  const auth = readAuth();
  const { actions } = importOpenapi(readFileSync(documentPath as string, 'utf8'), { toolkitId: 'api', baseUrl, deprecated: true, auth });
  const failures = new Map<string, string>();
  let calls = 0;
  for (const [index, { action, payloadDescription, handler }] of actions.entries()) {
    if (index % Number(every) !== 0) continue;
    for (const all of [false, true]) {
      calls++;
      try {
        await handler(context(), new Sample(payloadDescription, all).payload());
      } catch (error) {
        const { message, options } = error as ActionError;
        failures.set(`${action}${all ? ', all fields' : ''}`, `${message} ${JSON.stringify(options?.data)?.slice(0, 400)}`);
      }
    }
  }
  for (const [action, message] of [...failures].slice(0, MAX_SHOWN)) console.log(`${action}: ${message}`);
  console.log({ actions: actions.length, calls, answered: calls - failures.size, share: (calls - failures.size) / calls });
}

/** Any secret for each scheme. */
function readAuth() {
  const { components, securityDefinitions } = JSON.parse(readFileSync(documentPath as string, 'utf8'));
  const schemes = Object.entries({ ...components?.securitySchemes, ...securityDefinitions });
  return {
    schemes: Object.fromEntries(
      schemes.map(([name, scheme]) => [name, isObject(scheme) && /basic/i.test(JSON.stringify(scheme)) ? 'me:secret' : 'secret']),
    ),
  };
}

function context(): ActionContext {
  const error: ActionContext['error'] = (code, message, options) => new ActionError(code, message, options);
  return { signal: AbortSignal.timeout(CALL_MS), error } as Partial<ActionContext> as ActionContext;
}

/** A value that fits a payload schema. */
class Sample {
  readonly #schema: JsonSchema;
  readonly #refs: LocalRefs;
  readonly #all: boolean;

  constructor(schema: JsonSchema, all: boolean) {
    this.#schema = schema;
    this.#refs = new LocalRefs(schema);
    this.#all = all;
  }

  payload(): unknown {
    return this.#value(this.#schema, 0);
  }

  #value(schema: unknown, level: number): unknown {
    if (!isObject(schema)) return 'text';
    if (typeof schema.$ref === 'string') return this.#value(this.#refs.resolve(schema.$ref), level + 1);
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.enum)) return schema.enum[0];
    if (schema.default !== undefined) return schema.default;
    if (Array.isArray(schema.allOf))
      return Object.assign({}, ...schema.allOf.map((part) => this.#value(part, level)), this.#object(schema, level));
    if (Array.isArray(schema.anyOf)) {
      const { anyOf, ...rest } = schema;
      const [form] = anyOf;
      if (!isObject(form) || !isObject(rest.properties)) return this.#value(form, level);
      const required = [rest.required, form.required].flatMap((names) => (Array.isArray(names) ? names : []));
      return this.#object(
        { ...rest, required, properties: { ...rest.properties, ...(isObject(form.properties) && form.properties) } },
        level,
      );
    }
    const type = [schema.type].flat()[0];
    if (type === 'object' || isObject(schema.properties)) return this.#object(schema, level);
    if (type === 'array') {
      const count = Math.max(Number(schema.minItems ?? 0), this.#all && level < 6 ? 1 : 0);
      return Array.from({ length: count }, () => this.#value(schema.items ?? {}, level + 1));
    }
    if (type === 'integer' || type === 'number')
      return Number(schema.minimum ?? (typeof schema.exclusiveMinimum === 'number' ? schema.exclusiveMinimum + 1 : (schema.maximum ?? 1)));
    if (type === 'boolean') return true;
    return type === 'null' ? null : textFor(schema);
  }

  #object(schema: JsonSchema, level: number): Record<string, unknown> {
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    const properties = Object.entries(isObject(schema.properties) ? schema.properties : {});
    const chosen = properties.filter(([name]) => required.has(name) || (this.#all && level < 4));
    const nowhere = [...required].filter((name) => !properties.some(([known]) => known === name)).map((name) => [name, 'text']);
    return Object.fromEntries([...nowhere, ...chosen.map(([name, property]) => [name, this.#value(property, level + 1)])]);
  }
}

const TEXTS: Record<string, string> = {
  date: '2026-01-02',
  'date-time': '2026-01-02T03:04:05Z',
  email: 'a@example.com',
  uri: 'https://example.com/a',
  url: 'https://example.com/a',
  uuid: '8c5a4f0e-7d3b-4a53-9d1c-2f1f4a8c9b10',
  ipv4: '192.0.2.1',
  hostname: 'example.com',
};

function textFor({ format, minLength, maxLength, pattern }: JsonSchema): string {
  const text = TEXTS[String(format)] ?? 'text';
  const candidates = [
    text,
    'a',
    '1',
    '2026-01-02T03:04:05Z',
    '2026-01-02',
    '12345678',
    'AB',
    '#ffffff',
    'https://example.com/a',
    '+15558675310',
    'a@example.com',
  ];
  candidates.push('1.2.3', `sha256:${'0'.repeat(64)}`, `${/[A-Z]{2}/.exec(String(pattern))?.[0]}${'0'.repeat(32)}`);
  const known = typeof pattern === 'string' ? candidates.find((each) => new RegExp(pattern).test(each)) : undefined;
  return (known ?? text).padEnd(Number(minLength ?? 0), 'x').slice(0, Number(maxLength ?? Number.POSITIVE_INFINITY));
}

async function started(prism: ChildProcess, baseUrl: string): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await wait(500)) {
    if (prism.exitCode !== null) throw new Error(`prism ended with ${prism.exitCode}`);
    const answer = await fetch(baseUrl).catch(() => undefined);
    if (answer) return;
  }
  throw new Error(`prism did not start in ${START_MS} ms`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return isObject(address) ? Number(address.port) : 0;
}

function install(): void {
  if (existsSync(join(folder, 'node_modules/@stoplight/prism-cli'))) return;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', PACKAGE], { cwd: folder, stdio: 'inherit' });
}

const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const prism = spawn(process.execPath, [join(folder, 'node_modules/.bin/prism'), 'mock', resolve(documentPath), '-p', String(port)], {
  stdio: 'ignore',
});
try {
  await started(prism, baseUrl);
  await roundTrip(baseUrl);
} finally {
  prism.kill();
}
