/** The redactor of a source: the values of its variables, and the credentials of its settings. */
import { Buffer } from 'node:buffer';
import { replaceLiteralSecrets } from '#sdk/protocol/literal-secrets';
import { isSecretName } from '#sdk/protocol/secret-names';
import type { ConnectionChoice } from './connection-settings';
import { isHttp, type McpConfig } from './mcp/config';
import { networkVariables } from './mcp/network-variables';
import type { OpenapiAuth } from './openapi/credentials';
import { Redactor, type Secret } from './redactor';
import { type Env, fillKnownVariables, type ToolkitEntry, variablesOf } from './toolkits-file';

/** Settings after `${NAME}` was replaced. */
type Settings =
  | { mcp: McpConfig }
  | {
      openapi: {
        auth?: OpenapiAuth | ConnectionChoice | undefined;
        headers?: Readonly<Record<string, string>> | undefined;
        baseUrl?: string | undefined;
      };
    };

const REDACTED = '[redacted]';
/** The lines of a PEM private key may appear one by one. */
const MIN_LINE_CHARS = 16;

/** @param values name -> a secret value, which is removed from all texts of the source */
export function sourceRedactor(settings: Settings, values: Readonly<Record<string, string>> = {}): Redactor {
  const named = Object.entries(values).map(([name, value]) => ({ value, shown: `\${${name}}`, isCredential: isSecretName(name) }));
  const credentials: Secret[] = [];
  replaceLiteralSecrets(settings, ({ value, place }) => {
    credentials.push(...credentialParts(value, place));
    return '';
  });
  return new Redactor(merged([...named, ...credentials, ...passwordsIn([...Object.values(values), ...inherited(settings)])]));
}

/** The redactor of an entry, also with unset variables. */
export function entryRedactor(entry: ToolkitEntry, env: Env): Redactor {
  return sourceRedactor(fillKnownVariables(entry, env), variableValues(entry, env));
}

/** The set variables of the entry. */
export function variableValues(entry: ToolkitEntry, env: Env): Record<string, string> {
  return Object.fromEntries(variablesOf(entry).flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

/** `user:password`, plain or as the base64 of Basic, is a secret with both of its halves. */
function credentialParts(value: string, place: string): Secret[] {
  const decoded = Buffer.from(value, 'base64').toString();
  const pair = place.startsWith('openapi.auth.') ? value : decoded;
  const [user = '', password] = /^[\x20-\x7e]+$/.test(pair) && pair.includes(':') ? splitOnce(pair) : [];
  const all: Secret[] = [credential(value)];
  if (password === undefined) return all;
  // An API key is often the user, without a password. Other users, such as an address, are in many results.
  return [...all, credential(pair), credential(password), { value: user, shown: REDACTED, isCredential: password === '' }];
}

function splitOnce(pair: string): [string, string] {
  const at = pair.indexOf(':');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function credential(value: string): Secret {
  return { value, shown: REDACTED, isCredential: true };
}

/** The encoded and the decoded form of URLs. */
function passwordsIn(values: readonly string[]): Secret[] {
  return values.flatMap((value) => {
    const { username = '', password = '' } = URL.parse(value) ?? {};
    const secret = password || username;
    return secret === '' ? [] : [credential(secret), credential(decoded(secret))];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Invalid escapes stay.
    return text;
  }
}

/** The URL of a proxy or a registry may contain a password. */
function inherited(settings: Settings): string[] {
  return 'mcp' in settings && !isHttp(settings.mcp) ? Object.values(networkVariables(process.env)) : [];
}

/** One for each value, with the name of its variable if it has one. */
function merged(secrets: readonly Secret[]): Secret[] {
  const byValue = new Map<string, Secret>();
  for (const secret of secrets.flatMap((each) => [each, ...linesOf(each)])) {
    const known = byValue.get(secret.value);
    byValue.set(secret.value, known ? { ...known, isCredential: known.isCredential || secret.isCredential } : secret);
  }
  return [...byValue.values()];
}

function linesOf(secret: Secret): Secret[] {
  const lines = secret.value.split(/\r?\n/);
  return lines.length === 1 ? [] : lines.filter((line) => line.length >= MIN_LINE_CHARS).map((value) => ({ ...secret, value }));
}
