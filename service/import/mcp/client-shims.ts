/**
 * Replaces `@modelcontextprotocol/client/_shims` in the bundle, which would add Ajv to check results against output schemas. Results are not
 * checked: the tool has already run.
 */
export const CORS_IS_POSSIBLE = false;

class NoValidator {
  getValidator(): never {
    throw new Error('This client has no validator');
  }
}

export { NoValidator as DefaultJsonSchemaValidator };
