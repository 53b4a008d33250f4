/**
 * Replaces `@modelcontextprotocol/server/_shims` in the bundle, which would add Ajv to validate forms that a client's user fills in. This server
 * sends no forms.
 */
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This server has no validator');
  }
}
