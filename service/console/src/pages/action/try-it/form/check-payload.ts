/**
 * Validates a payload while a person fills in its form. The service validates again when it runs.
 *
 * Source: @cfworker/json-schema, which interprets schemas: compiling them needs `new Function`, which the page's CSP forbids.
 */
import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import type { RJSFSchema, ValidatorType } from '@rjsf/utils';
import { formatPlural } from '../../../../parts/format';
import { issueErrors } from './issue-errors';

/** Errors of these keywords only repeat that there is a nested error, which is reported separately. */
const AROUND = new Set(['properties', 'items', 'additionalProperties']);

function check(schema: RJSFSchema, payload: unknown): OutputUnit[] {
  // Empty fields are undefined, which JSON leaves out.
  const sent: unknown = JSON.parse(JSON.stringify(payload ?? {}));
  return new Validator(schema as Schema, '2020-12', false).validate(sent).errors.filter(({ keyword }) => !AROUND.has(keyword));
}

/** The limit at the end of the validator's sentence, such as "String is too short (1 < 2)." */
const LIMIT = /(-?[\d.]+(?:e[+-]?\d+)?)\)?\.$/;

/** Messages for keywords that a form can violate; other messages are the validator's. */
const WORDS: Record<string, (limit: string) => string> = {
  minLength: (limit) => `Enter at least ${characters(limit)}`,
  maxLength: (limit) => `Enter at most ${characters(limit)}`,
  minimum: (limit) => `Enter ${limit} or more`,
  maximum: (limit) => `Enter ${limit} or less`,
  exclusiveMinimum: (limit) => `Enter more than ${limit}`,
  exclusiveMaximum: (limit) => `Enter less than ${limit}`,
  multipleOf: (limit) => `Enter a multiple of ${limit}`,
  minItems: (limit) => `Add at least ${formatPlural(Number(limit), 'item')}`,
  maxItems: (limit) => `Keep at most ${formatPlural(Number(limit), 'item')}`,
};
const characters = (limit: string) => formatPlural(Number(limit), 'character');

function inWords({ keyword, error }: Pick<OutputUnit, 'keyword' | 'error'>): string {
  if (keyword === 'format') return 'Not in this format: see the example';
  const limit = LIMIT.exec(error)?.[1];
  return (limit !== undefined && WORDS[keyword]?.(limit)) || error;
}

/**
 * The validator of a form. Schemas of `toFormSchema` are small and have no patterns, so the check is fast. It does not report missing values,
 * because their inputs are marked as required.
 */
export const formValidator: ValidatorType = {
  validateFormData(payload, schema) {
    const broken = check(schema, payload).filter(({ keyword }) => keyword !== 'required');
    return {
      errors: broken.map((unit) => ({ stack: inWords(unit) })),
      errorSchema: issueErrors(broken.map((unit) => ({ path: unit.instanceLocation.slice(1), message: inWords(unit) }))),
    };
  },
  isValid: (schema, payload) => check(schema, payload).length === 0,
  rawValidation: () => ({}),
};
