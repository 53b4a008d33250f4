/**
 * Both names of a field: servers accept `inline_data` for `inlineData`, and Google's SDK for Python sends some fields in that form.
 *
 * Source: ProtoJSON, https://protobuf.dev/programming-guides/json, "Parsers accept both".
 */
import * as z from 'zod';
import { isObject } from '../../../src/protocol/json-object.ts';

/** The schema of a message whose fields may have either name. */
export function withFieldNames<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(toCamelNames, schema);
}

function toCamelNames(message: unknown): unknown {
  if (!isObject(message)) return message;
  return Object.fromEntries(
    Object.entries(message).map(([name, value]) => [name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), value]),
  );
}
