/**
 * Replaces `@modelcontextprotocol/server/_shims` in the bundle, which would add Ajv to validate forms that a client's user fills in. The form of
 * this server has one text, which it reads itself.
 */
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This server has no validator');
  }
}
