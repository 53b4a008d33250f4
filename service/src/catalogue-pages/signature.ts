/** An action as a signature: `find(city: string, days?: int = 3)`. Third parties write the schemas. */
import type { JsonSchema } from '#sdk/protocol/http';
import { propertyTypes } from '#sdk/protocol/to-type';

export interface SignatureParameter {
  name: string;
  type: string;
  required: boolean;
  description: string;
  /** JSON text. */
  fallback: string | undefined;
}

const MAX_PARAMETERS = 40;
const MAX_DEPTH = 3;
const MAX_DEFAULT_CHARS = 40;

export function signatureParameters(schema: JsonSchema): SignatureParameter[] {
  return propertyTypes(schema, { depth: MAX_DEPTH, maxProperties: MAX_PARAMETERS }).map(({ schema: property, ...parameter }) => ({
    ...parameter,
    description: typeof property.description === 'string' ? property.description : '',
    fallback: 'default' in property ? JSON.stringify(property.default)?.slice(0, MAX_DEFAULT_CHARS) : undefined,
  }));
}

export function signatureOf(name: string, schema: JsonSchema): string {
  const parameters = signatureParameters(schema).map(
    (parameter) =>
      `${parameter.name}${parameter.required ? '' : '?'}: ${parameter.type}${parameter.fallback === undefined ? '' : ` = ${parameter.fallback}`}`,
  );
  return `${name}(${parameters.join(', ')})`;
}
