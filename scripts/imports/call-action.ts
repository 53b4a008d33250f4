/** A call of an imported action with made-up values. */
import type { ActionContext, JsonSchema } from 'svc-sdk';
import type { ImportedAction } from 'svc-service/import';
import { LocalRefs } from '../../service/src/payload/local-refs.ts';
import { isObject } from '../../src/protocol/json-object.ts';
import { ActionError } from '../../src/toolkit/action-error.ts';

const CALL_MS = 20_000;

/**
 * Rejects with the `ActionError` of the handler.
 *
 * @param all with all fields of the payload. Otherwise: with the required ones
 */
export async function callAction({ payloadDescription, handler }: ImportedAction, all: boolean): Promise<unknown> {
  return handler(context(), new Sample(payloadDescription, all).payload());
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
