/** Options that `add mcp` and `add openapi` share, as members of an entry. */
import { dirname, relative, resolve } from 'node:path';
import type { ConnectionChoice, ConnectionSettings, Presentation } from 'svc-service/import';
import { UsageError } from '#sdk/cli/usage-error';
import { isToolkitId, toToolkitId } from '#sdk/protocol/ids';

export interface PresentationFlags {
  include?: string[];
  exclude?: string[];
  describe?: string[];
  /** The `toolkits.yaml` to write: an entry's files are relative to its folder. */
  file?: string;
}

export function presentationOf({ include, exclude, describe, file = 'toolkits.yaml' }: PresentationFlags): Presentation {
  return {
    ...(include && { include }),
    ...(exclude && { exclude }),
    ...(describe && { describe: descriptionsOf(describe, dirname(resolve(file))) }),
  };
}

/** One file, or texts. */
function descriptionsOf(texts: readonly string[], folder: string): string | Record<string, string> {
  const [file] = texts;
  if (file !== undefined && texts.length === 1 && !file.includes('=') && /\.ya?ml$/i.test(file)) return relative(folder, resolve(file));
  return namedTexts(texts, { option: '--describe', separator: '=', form: "'name=text', or one file of them as YAML" });
}

/** Parses texts such as `NAME=value`. The error does not quote the command line, which may contain a secret. */
export function namedTexts(
  texts: readonly string[],
  { option, separator, form }: { option: string; separator: string; form: string },
): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(separator);
      const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
      if (at < 0 || name === '' || value === '') throw new UsageError(`Write ${option} ${form}`);
      return [name, value];
    }),
  );
}

export function checkToolkitId(id: string): void {
  if (!isToolkitId(id)) throw new UsageError(`"${id}" is not a toolkit id; write "${toToolkitId(id)}"`);
}

export interface ConnectionFlags {
  connection?: string;
  connectionType?: string;
}

const SOURCES = ['caller', 'user', 'agent', 'everyone'] as const;
const TYPES = ['bearer', 'basic', 'apiKey', 'oauth2'] as const;

/** `auth` of an entry. Undefined without `--connection`. */
export function connectionOf({ connection, connectionType }: ConnectionFlags): ConnectionChoice | undefined {
  if (connection === undefined && connectionType !== undefined) throw new UsageError('--connection-type needs --connection');
  if (connection === undefined) return undefined;
  const from = oneOf(SOURCES, connection, '--connection');
  if (connectionType === undefined) return from;
  return { from, type: oneOf(TYPES, connectionType, '--connection-type') } satisfies ConnectionSettings;
}

function oneOf<Value extends string>(known: readonly Value[], text: string, option: string): Value {
  const found = known.find((each) => each.toLowerCase() === text.toLowerCase());
  if (found === undefined) throw new UsageError(`${option} is one of ${known.join(', ')}`);
  return found;
}
