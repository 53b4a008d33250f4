import type { JsonSchema } from 'svc-sdk';

/** A Standard Schema with an untouched JSON Schema and no validation: the service validates, and its errors help a model to correct the call. */
export function unchecked(parameters: JsonSchema) {
  const jsonSchema = () => parameters;
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'svc-sdk',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  };
}
