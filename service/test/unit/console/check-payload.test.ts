import { expect, test } from 'vitest';
import { formValidator } from '../../../console/src/pages/action/try-it/form/check-payload';

test.each([
  [{ type: 'string', minLength: 2 }, 'a', 'Enter at least 2 characters'],
  [{ type: 'string', maxLength: 1 }, 'ab', 'Enter at most 1 character'],
  [{ type: 'number', minimum: -1.5 }, -2, 'Enter -1.5 or more'],
  [{ type: 'number', maximum: 10 }, 11, 'Enter 10 or less'],
  [{ type: 'number', exclusiveMinimum: 0 }, 0, 'Enter more than 0'],
  [{ type: 'number', exclusiveMaximum: 5 }, 5, 'Enter less than 5'],
  [{ type: 'number', multipleOf: 3 }, 4, 'Enter a multiple of 3'],
  [{ type: 'array', minItems: 1 }, [], 'Add at least 1 item'],
  [{ type: 'array', maxItems: 1 }, [1, 2], 'Keep at most 1 item'],
])('the error of a value that does not match %j is in plain words', (value, given, message) => {
  const { errors } = formValidator.validateFormData({ value: given }, { type: 'object', properties: { value } } as never);
  expect(errors.map(({ stack }) => stack)).toEqual([message]);
});
