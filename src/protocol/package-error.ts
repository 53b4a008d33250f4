/** The error for a package that could not be loaded. Only a missing one is to be installed: any other failure keeps its own message. */
import { SvcError } from './errors';
import { isObject } from './json-object';

/**
 * @param user what needs the package, such as `PostgreSQL`
 * @param cause what `import(name)` rejected with
 * @param install packages that belong together, for the command
 */
export function packageError(user: string, name: string, cause: unknown, install = name): SvcError {
  const what = isMissing(name, cause)
    ? `which is not installed; run: npm install ${install}`
    : `which cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new SvcError('INVALID_REQUEST', `${user} needs the package "${name}", ${what}`, { retryable: false }, { cause });
}

/** The message has the name: what a package itself cannot find has the same code. */
function isMissing(name: string, cause: unknown): boolean {
  if (!isObject(cause)) return false;
  const { code, message } = cause;
  return (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && new RegExp(`['"]${name}['"]`).test(String(message));
}
