/**
 * What of a payload does not fit its form, while it is filled in. The service's answer is what counts; this one is at hand.
 *
 * Source: @cfworker/json-schema, which interprets schemas: compiling them needs `new Function`, which the page's CSP forbids.
 */
import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import type { RJSFSchema, ValidatorType } from '@rjsf/utils';
import { issueErrors } from './issue-errors';

/** They say only that something inside does not fit, which is said there. */
const AROUND = new Set(['properties', 'items', 'additionalProperties']);

function check(schema: RJSFSchema, payload: unknown): OutputUnit[] {
  // What JSON leaves out was not filled in.
  const sent: unknown = JSON.parse(JSON.stringify(payload ?? {}));
  return new Validator(schema as Schema, '2020-12', false).validate(sent).errors.filter(({ keyword }) => !AROUND.has(keyword));
}

/** Of a form that `toFormSchema` made, which is small and holds no patterns. What is still missing is not said: it is marked as required. */
export const formValidator: ValidatorType = {
  validateFormData(payload, schema) {
    const broken = check(schema, payload).filter(({ keyword }) => keyword !== 'required');
    return {
      errors: broken.map(({ error }) => ({ stack: error })),
      errorSchema: issueErrors(broken.map(({ instanceLocation, error }) => ({ path: instanceLocation.slice(1), message: error }))),
    };
  },
  isValid: (schema, payload) => check(schema, payload).length === 0,
  rawValidation: () => ({}),
};
