import { type ErrorSchema, ErrorSchemaBuilder } from '@rjsf/utils';
import type { PayloadIssue } from '../../../../../../src/protocol/errors';
import { stepsOf } from '../../../../../../src/service/payload/json-pointer';

/** What the service said of a payload, at the fields that it is about. */
export function issueErrors(issues: readonly PayloadIssue[]): ErrorSchema {
  const builder = new ErrorSchemaBuilder();
  for (const { path, message } of issues)
    builder.addErrors(
      message,
      stepsOf(path).map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
    );
  return builder.ErrorSchema;
}
