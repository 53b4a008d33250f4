import { type ErrorSchema, ErrorSchemaBuilder } from '@rjsf/utils';
import type { PayloadIssue } from '#sdk/protocol/errors';
import { stepsOf } from '../../../../../../src/payload/json-pointer';

/** Assigns the issues that the service found in a payload to the fields of the form. */
export function issueErrors(issues: readonly PayloadIssue[]): ErrorSchema {
  const builder = new ErrorSchemaBuilder();
  for (const { path, message } of issues)
    builder.addErrors(
      message,
      stepsOf(path).map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
    );
  return builder.ErrorSchema;
}
