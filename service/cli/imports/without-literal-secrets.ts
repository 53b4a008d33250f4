/** Refuses a literal secret on the command line: `toolkits.yaml` contains names of variables and no secret. */
import { type McpConfig, readMcpServers } from 'svc-service/import';
import { UsageError } from '#sdk/cli/usage-error';
import { variableNames } from '#sdk/protocol/environment-variables';

/** Returns the config as it is written. Throws UsageError, whose message omits the value: it may be the secret. */
export function withoutLiteralSecrets(id: string, config: McpConfig): McpConfig {
  const { toolkits, skipped } = readMcpServers(JSON.stringify({ mcpServers: { [id]: config } }));
  const read = toolkits[id]?.mcp;
  if (!read) throw new UsageError(skipped.map(({ why }) => why).join('; '));
  // No request can contain this value, so a variable does not help.
  if ('url' in config && hasPassword(config.url)) throw new UsageError('toolkits.yaml holds no secret, and the URL has a password');
  const typed = variableNames(JSON.stringify(config));
  const hidden = variableNames(JSON.stringify(read)).filter((name) => !typed.includes(name));
  if (hidden.length > 0) throw literalSecret(hidden.join(', '));
  return read;
}

/** @param names of variables for it */
export function literalSecret(names: string): UsageError {
  const place = names.replace(/\w+/g, (name) => `\${${name}}`);
  return new UsageError(
    `toolkits.yaml holds no secret: set ${names} in the environment and write '${place}' in its place, in single quotes, because a shell replaces it in double ones`,
  );
}

/** Nothing of a document's address is replaced later. */
export function checkDocumentAddress(address: string): void {
  try {
    withoutLiteralSecrets('document', { url: address });
  } catch {
    throw new UsageError('toolkits.yaml holds no secret, and the URL has one: download the document and name the file');
  }
}

function hasPassword(url: string): boolean {
  return URL.canParse(url) && new URL(url).password !== '';
}
