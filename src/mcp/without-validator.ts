/**
 * Takes the place of `@modelcontextprotocol/server/_shims` in the bundle, which brings Ajv to check what a client's user fills in. This
 * server asks for nothing.
 */
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This server has no validator');
  }
}
