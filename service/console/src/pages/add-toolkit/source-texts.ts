/** The same source as lines of `toolkits.yaml` and as a command, for a service that cannot add toolkits. */
import { isObject } from '#sdk/protocol/json-object';
import { entryOf, hasCredential, linesOf, type SourceValues } from './source-values';
import { quoteWord } from './split-words';

export function yamlOf(values: SourceValues): string {
  return ['toolkits:', `  ${values.id}:`, ...yamlLines(entryOf(values), '    ')].join('\n');
}

/** Every JSON text is YAML. */
function yamlLines(value: Record<string, unknown>, indent: string): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const key = `${indent}${/^[A-Za-z][\w-]*$/.test(name) ? name : JSON.stringify(name)}:`;
    return isObject(member) ? [key, ...yamlLines(member, `${indent}  `)] : [`${key} ${JSON.stringify(member)}`];
  });
}

export function addCommandOf(values: SourceValues): string {
  const { kind, id, url, file, baseUrl, account, auth, credential, include, exclude } = values;
  const headers = linesOf(values.headers).flatMap((header) => ['--header', header]);
  const connection = account === 'operator' ? [] : ['--connection', account];
  const filters = [...include.flatMap((filter) => ['--include', filter]), ...exclude.flatMap((filter) => ['--exclude', filter])];
  const openapi = [
    ...(baseUrl.trim() ? ['--base-url', baseUrl.trim()] : []),
    ...(hasCredential(values) ? ['--auth', `${auth} ${credential.trim()}`] : []),
    ...connection,
    ...headers,
    ...filters,
  ];
  const env = linesOf(values.env).flatMap((line) => ['--env', line]);
  const words = {
    'mcp-command': () => ['mcp', id, ...env, ...filters, '--'],
    'mcp-url': () => ['mcp', id, '--url', url.trim(), ...connection, ...headers, ...filters],
    'openapi-url': () => ['openapi', id, url.trim(), ...openapi],
    'openapi-file': () => ['openapi', id, `./${file?.name ?? ''}`, ...openapi],
  }[kind]();
  const command = ['npx', 'svc-service', 'add', ...words.map(quoteWord)].join(' ');
  // Unchanged, with the person's quotes.
  return kind === 'mcp-command' ? `${command} ${values.command.trim()}` : command;
}
