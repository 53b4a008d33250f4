/**
 * Converts a payload schema into one that a form can show: with the keywords that the form supports, without references, and of limited size.
 *
 * Shape:  a part that no input can hold (alternatives, free objects, recursion) becomes a field for JSON; for a schema without parameters, or with
 *         too many, the result is the reason why a form is not possible.
 * Limits: 80 fields, 4 levels. Third parties write the schemas, so patterns are dropped: only the service checks them.
 */
import type { RJSFSchema, UiSchema } from '@rjsf/utils';
import type { JsonSchema } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import { choicesOf, lookUp } from '../../../../parts/json-schema';

export type FormSchema = { schema: RJSFSchema; uiSchema: UiSchema; isEmpty?: true } | { unfit: string };

const MAX_FIELDS = 80;
const MAX_DEPTH = 4;
const MAX_CHOICES = 500;
const LONG_TEXT_CHARS = 200;
const LONG_TEXT_NAMES = /(text|body|content|message|html|markdown|code|prompt)$/i;
const COPIED = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
];

export function toFormSchema(root: JsonSchema): FormSchema {
  const whole = lookUp(root, root);
  if (takesNothing(whole)) return { schema: { type: 'object', properties: {} }, uiSchema: {}, isEmpty: true };
  if (!isObject(whole.properties) || Object.keys(whole.properties).length === 0)
    return { unfit: 'The schema names no parameters, so a form is not possible. Write the payload as JSON.' };
  const form = new FormBuilder(root);
  const { schema, ui } = form.object(whole, 0);
  if (form.fields > MAX_FIELDS) return { unfit: 'The schema has too many parameters for a form. Write the payload as JSON.' };
  return { schema, uiSchema: ui };
}

/** An object without members. A schema that does not say which members it has takes any. */
function takesNothing({ properties, additionalProperties = false, ...rest }: JsonSchema): boolean {
  if (!isObject(properties) || Object.keys(properties).length > 0 || additionalProperties !== false) return false;
  return !['oneOf', 'anyOf', 'allOf', 'not', 'if', 'patternProperties', 'required'].some((keyword) => keyword in rest);
}

/** An example of each format that the form checks. */
const FORMAT_EXAMPLES: Record<string, string> = {
  'date-time': '2026-01-31T08:00:00Z',
  date: '2026-01-31',
  time: '08:00:00Z',
  duration: 'P1DT12H',
  email: 'ada@example.com',
  uri: 'https://example.com/page',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.com',
};

interface Part {
  schema: RJSFSchema;
  ui: UiSchema;
}

class FormBuilder {
  fields = 0;
  readonly #root: JsonSchema;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  object(given: JsonSchema, depth: number): Part {
    const properties = Object.entries(given.properties as object).filter(([name]) => name !== '__proto__');
    // Counted before the work, because a schema may have a million properties.
    this.fields += properties.length;
    if (this.fields > MAX_FIELDS) return { schema: {}, ui: {} };
    const parts = properties.map(([name, property]) => [name, this.#field(name, property, depth)] as const);
    return {
      schema: {
        type: 'object',
        properties: Object.fromEntries(parts.map(([name, { schema }]) => [name, schema])),
        required: Array.isArray(given.required) ? given.required.filter((name) => typeof name === 'string') : [],
      },
      ui: Object.fromEntries(parts.map(([name, { ui }]) => [name, ui])),
    };
  }

  #field(name: string, given: unknown, depth: number): Part {
    const schema = this.#withoutNull(lookUp(this.#root, given));
    const { schema: shape, ui } = this.#shape(name, schema, depth) ?? { schema: {}, ui: { 'ui:field': 'json' } };
    const description = describe(schema);
    return { schema: { ...shape, title: name, ...(description && { description }) }, ui };
  }

  /** Returns undefined for a part that only JSON can hold. */
  #shape(name: string, schema: JsonSchema, depth: number): Part | undefined {
    const choices = singleValues(schema);
    if (choices) return choicePart(choices);
    if (['oneOf', 'anyOf', 'allOf', 'not', 'if'].some((keyword) => keyword in schema)) return undefined;
    const bounds = Object.fromEntries(
      COPIED.flatMap((keyword) => (typeof schema[keyword] === 'number' ? [[keyword, schema[keyword]]] : [])),
    );
    switch (schema.type) {
      case 'string': {
        const isLong = schema.maxLength === undefined ? LONG_TEXT_NAMES.test(name) : Number(schema.maxLength) > LONG_TEXT_CHARS;
        return textPart(schema, bounds, isLong);
      }
      case 'number':
      case 'integer':
        return { schema: { type: schema.type, ...bounds }, ui: { 'ui:widget': 'updown' } };
      case 'boolean':
        return { schema: { type: 'boolean' }, ui: {} };
      case 'array':
        return this.#list(name, schema, bounds, depth);
      default:
        if (!isObject(schema.properties) || Object.keys(schema.properties).length === 0 || depth + 1 >= MAX_DEPTH) return undefined;
        return this.object(schema, depth + 1);
    }
  }

  #list(name: string, schema: JsonSchema, bounds: JsonSchema, depth: number): Part | undefined {
    if (!isObject(schema.items) || 'prefixItems' in schema || depth + 1 >= MAX_DEPTH) return undefined;
    const items = this.#field(name, schema.items, depth + 1);
    // Each choice once: a payload that repeats one is JSON.
    if (items.schema.enum) {
      const { type, enum: choices } = items.schema;
      return { schema: { type: 'array', ...bounds, uniqueItems: true, items: { type, enum: choices } }, ui: { 'ui:widget': 'choices' } };
    }
    // A new item gets a default value: an undefined item would become null in JSON.
    const fresh = freshItem(items.schema);
    const item = { ...items.schema, ...(fresh !== undefined && { default: fresh }), title: 'Item' };
    return { schema: { type: 'array', ...bounds, items: item }, ui: { items: items.ui } };
  }

  /** Removes `null` from a nullable type: an empty field is left out instead. */
  #withoutNull(schema: JsonSchema): JsonSchema {
    if (Array.isArray(schema.type)) {
      const [type, ...others] = schema.type.filter((name) => name !== 'null');
      return others.length === 0 ? { ...schema, type } : { ...schema, type: undefined };
    }
    for (const keyword of ['anyOf', 'oneOf']) {
      const options: unknown = schema[keyword];
      if (!Array.isArray(options) || options.length !== 2) continue;
      const [only, ...others] = options.map((option) => lookUp(this.#root, option)).filter(({ type }) => type !== 'null');
      if (!only || others.length > 0) continue;
      const { [keyword]: _, ...beside } = schema;
      return { ...only, ...beside };
    }
    return schema;
  }
}

function textPart({ format, examples }: JsonSchema, bounds: JsonSchema, isLong: boolean): Part {
  const ofFormat = typeof format === 'string' && Object.hasOwn(FORMAT_EXAMPLES, format) ? format : undefined;
  const [example = ofFormat && FORMAT_EXAMPLES[ofFormat]]: unknown[] = Array.isArray(examples) ? examples : [];
  return {
    schema: { type: 'string', ...bounds, ...(ofFormat && { format: ofFormat }) },
    ui: { 'ui:widget': isLong ? 'textarea' : 'text', ...(typeof example === 'string' && { 'ui:placeholder': example }) },
  };
}

function freshItem({ type, enum: choices, minimum = 0 }: RJSFSchema): Choice | undefined {
  if (Array.isArray(choices)) return choices[0] as Choice;
  if (type === 'string') return '';
  if (type === 'boolean') return false;
  return type === 'number' || type === 'integer' ? minimum : undefined;
}

type Choice = string | number | boolean;

/** Returns the choices of a schema without null; undefined if there are none or too many, or if one is an object or a list. */
function singleValues(schema: JsonSchema): Choice[] | undefined {
  const choices = choicesOf(schema)?.filter((choice) => choice !== null);
  if (!choices || choices.length === 0 || choices.length > MAX_CHOICES) return undefined;
  const isSingle = (choice: unknown): choice is Choice => ['string', 'number', 'boolean'].includes(typeof choice);
  return choices.every(isSingle) ? choices : undefined;
}

/** Returns undefined for choices of several types. */
function choicePart(choices: readonly Choice[]): Part | undefined {
  const [type, ...others] = new Set(choices.map((choice) => typeof choice));
  if (others.length > 0 || (type !== 'string' && type !== 'number' && type !== 'boolean')) return undefined;
  return { schema: { type, enum: [...new Set(choices)] }, ui: { 'ui:widget': 'select' } };
}

/** Adds the default value to the description, because the form sends only fields that were filled in, as a model does. */
function describe(schema: JsonSchema): string {
  const said = typeof schema.description === 'string' ? [schema.description] : [];
  const { format } = schema;
  if (typeof format === 'string' && Object.hasOwn(FORMAT_EXAMPLES, format)) said.push(`As ${format}, such as ${FORMAT_EXAMPLES[format]}`);
  if ('default' in schema) said.push(`Default: ${JSON.stringify(schema.default)}`);
  return said.join('\n');
}
