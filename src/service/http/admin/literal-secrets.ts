/**
 * Refuses secrets in an entry of `toolkits.yaml`. The file is shown, copied and kept in repositories, so it has `${NAME}` in their place.
 *
 * Errors: INVALID_REQUEST with the place of the secret. It never repeats the value.
 */
import { SvcError } from '../../../protocol/errors';
import { isObject } from '../../../protocol/json-object';

const SECRET_NAME = /auth|cookie|credential|key|passw|pwd|secret|session|token/i;
const VARIABLE = /\$\{[A-Za-z_][A-Za-z0-9_]*\}/;
/** `--api-key`, `--token=…` */
const SECRET_OPTION = /^--?[\w-]*(?:auth|credential|key|passw|pwd|secret|token)[\w-]*(?:=(?<value>.*))?$/i;

export function refuseLiteralSecrets({ mcp, openapi }: Readonly<Record<string, unknown>>): void {
  if (isObject(openapi)) {
    refuseInMembers(openapi.auth, 'openapi.auth', () => true);
    refuseInMembers(openapi.headers, 'openapi.headers', isSecretName);
    refuseInUrl(openapi.file, 'openapi.file');
    refuseInUrl(openapi.baseUrl, 'openapi.baseUrl');
  }
  if (isObject(mcp)) {
    refuseInMembers(mcp.headers, 'mcp.headers', isSecretName);
    refuseInMembers(mcp.env, 'mcp.env', isSecretName);
    refuseInUrl(mcp.url, 'mcp.url');
    if (Array.isArray(mcp.args)) refuseInArguments(mcp.args.map(String));
  }
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

function refuseInMembers(members: unknown, place: string, isSecret: (name: string) => boolean): void {
  if (!isObject(members)) return;
  for (const [name, value] of Object.entries(members)) {
    if (isObject(value)) refuseInMembers(value, `${place}.${name}`, isSecret);
    else if (isSecret(name)) refuseLiteral(value, `${place}.${name}`);
  }
}

function refuseInUrl(text: unknown, place: string): void {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (!url) return;
  if (url.password !== '') refuseLiteral(decode(url.password), `the password in ${place}`);
  for (const [name, value] of url.searchParams) if (isSecretName(name)) refuseLiteral(value, `"${name}" in ${place}`);
}

function refuseInArguments(args: readonly string[]): void {
  for (const [index, arg] of args.entries()) {
    const option = SECRET_OPTION.exec(arg);
    if (!option) continue;
    const value = option.groups?.value ?? args[index + 1];
    if (value !== undefined && !value.startsWith('-')) refuseLiteral(value, `the argument after ${arg.split('=')[0]}`);
  }
}

function refuseLiteral(value: unknown, place: string): void {
  if (value === '' || VARIABLE.test(String(value))) return;
  throw new SvcError(
    'INVALID_REQUEST',
    `${place}: write \${NAME}, and set NAME in the environment of the process that serves toolkits.yaml. The file must not hold a secret`,
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
