/** Converts the arguments of `svc-service add openapi` to an entry of `toolkits.yaml`. */
import type { OpenapiAuth, OpenapiEntry, ToolkitEntry } from 'svc-service/import';
import { UsageError } from '#sdk/cli/usage-error';
import { hasVariable } from '#sdk/protocol/environment-variables';
import { type ConnectionFlags, checkToolkitId, connectionOf, namedTexts, type PresentationFlags, presentationOf } from './entry-flags';
import { literalSecret, withoutLiteralSecrets } from './without-literal-secrets';

export interface OpenapiFlags extends PresentationFlags, ConnectionFlags {
  baseUrl?: string;
  auth?: string[];
  header?: string[];
  excludeMethod?: string[];
  deprecated?: true;
}

/** Where no base URL is given, its place in the check for secrets. */
const ANY_URL = 'https://api.example.com';
const KINDS = ['bearer', 'basic', 'apiKey'] as const;

/** @param openapi the file of the document, and its origin */
export function openapiEntry(id: string, openapi: Pick<OpenapiEntry, 'file' | 'from'>, flags: OpenapiFlags): ToolkitEntry {
  checkToolkitId(id);
  const { baseUrl, auth, header, deprecated, exclude = [], excludeMethod = [] } = flags;
  const headers = header && namedTexts(header, { option: '--header', separator: ':', form: `'Name: \${NAME}'` });
  const connection = connectionOf(flags);
  if (connection && auth)
    throw new UsageError('--auth is a credential of yours for all calls, and --connection an account of each: give one of them');
  withoutLiteralSecrets(id, { url: baseUrl ?? ANY_URL, ...(headers && { headers }) });
  const excluded = [...exclude, ...excludeMethod.map((method) => `${method.toUpperCase()} /**`)];
  return {
    openapi: {
      ...openapi,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(auth && { auth: authOf(id, auth) }),
      ...(connection && { auth: connection }),
      ...(headers && { headers }),
      ...(deprecated && { deprecated }),
    },
    ...presentationOf({ ...flags, ...(excluded.length > 0 && { exclude: excluded }) }),
  };
}

function authOf(id: string, texts: readonly string[]): OpenapiAuth {
  const schemes: Record<string, string> = {};
  const auth: OpenapiAuth = {};
  for (const text of texts) {
    const [, scheme = '', secret = ''] = /^\s*(\S+)\s+(.*\S)\s*$/.exec(text) ?? [];
    if (scheme === '') throw new UsageError(`Write --auth 'bearer \${NAME}', or basic, apiKey or the name of a scheme in place of bearer`);
    if (!hasVariable(secret)) throw literalSecret(`${id.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_TOKEN`);
    const kind = KINDS.find((each) => each.toLowerCase() === scheme.toLowerCase());
    if (kind) auth[kind] = secret;
    else schemes[scheme] = secret;
  }
  return { ...auth, ...(Object.keys(schemes).length > 0 && { schemes }) };
}
