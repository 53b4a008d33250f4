/** `toolkits.yaml` holds names of variables and no secret, so a literal one on the command line is refused. */
import { type McpConfig, readMcpServers } from 'svc-sdk/import';
import { UsageError } from '../usage-error';

const VARIABLE = /\$\{(\w+)\}/g;

/** The config as it is written. Throws UsageError, whose message has no value: it may be the secret. */
export function withoutLiteralSecrets(id: string, config: McpConfig): McpConfig {
  const { toolkits, skipped } = readMcpServers(JSON.stringify({ mcpServers: { [id]: config } }));
  const read = toolkits[id]?.mcp;
  if (!read) throw new UsageError(skipped.map(({ why }) => why).join('; '));
  const typed = variablesIn(config);
  const hidden = variablesIn(read).filter((name) => !typed.includes(name));
  if (hidden.length > 0 || hasPassword(config)) throw literalSecret(hidden[0] ?? 'NAME');
  return read;
}

/** @param name of a variable for it */
export function literalSecret(name: string): UsageError {
  return new UsageError(
    `toolkits.yaml holds no secret: set ${name} in the environment, and write \${${name}} in its place, in single quotes, because a shell replaces it in double ones`,
  );
}

function variablesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(VARIABLE)].map(([, name = '']) => name);
}

function hasPassword(config: McpConfig): boolean {
  const url = 'url' in config && URL.canParse(config.url) ? new URL(config.url) : undefined;
  return url !== undefined && url.password !== '' && !decodeURIComponent(url.password).includes(`\${`);
}
