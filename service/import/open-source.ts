/**
 * The current source of an entry of `toolkits.yaml`: an MCP server, which is started, or an OpenAPI document.
 *
 * Errors: INVALID_REQUEST for an unreadable source, and for settings of the entry that do not fit it.
 */
import { resolve } from 'node:path';
import { SvcError, type ToolkitDetails } from 'svc-sdk';
import type { ToolkitAuth } from '#sdk/protocol/connections';
import type { TagCount } from './action-filters';
import { readDescriptions } from './described-actions';
import { fetchDocument } from './fetch-document';
import type { SkippedPart } from './imported-action';
import { isHttp, type McpConfig, type ServerLogListener } from './mcp/config';
import { openMcp } from './mcp/open-mcp';
import { SignInRequired } from './mcp/sign-in-required';
import { importOpenapi } from './openapi/import-openapi';
import type { RequestTarget } from './openapi/request-targets';
import type { MissingCredential } from './openapi/security';
import { type NamedAction, pinnedNames, type ToolkitPins } from './pins';
import { presentActions } from './present-actions';
import { reasonOf } from './reason-of';
import type { SourceProfile } from './source-profile';
import { entryRedactor, variableValues } from './source-redactor';
import { type Env, missingVariables, type OpenapiEntry, type Presentation, type ToolkitEntry, withVariables } from './toolkits-file';

export interface OpenSource {
  toolkit: ToolkitDetails;
  profile: SourceProfile;
  /**
   * The actions with the source's texts, for pins: `pinsOf(source)`. All tools of an MCP server, because they are few; the operations of a document
   * that match the entry's filters.
   */
  actions: NamedAction[];
  /** The actions as agents see them, after the filters, the descriptions and the assumptions of the entry. */
  presented: NamedAction[];
  /** Tags of the whole document. An MCP server has none. */
  tags: TagCount[];
  skipped: SkippedPart[];
  /** The addresses of the presented actions' calls. An MCP server's is in its entry. */
  targets: RequestTarget[];
  /** The address of the API in the entry, else in the document. Undefined for an MCP server. */
  baseUrl: string | undefined;
  /** Names of operations that are missing in `actions` only because of the filters. */
  leftOut: string[];
  /** Missing settings that calls need, such as an environment variable or a credential. */
  missing: string[];
  /** The connection that the toolkit asks for with the actions of these names. It is a setting, and in no pin. */
  authOf(actions: Iterable<string>): ToolkitAuth | undefined;
  /** Ends the MCP server. */
  close(): Promise<void>;
}

export interface OpenSourceOptions {
  /** The folder of `toolkits.yaml`: base of relative files, and working directory of processes. */
  folder: string;
  env: Env;
  /** Pins whose actions keep their names. */
  pins?: ToolkitPins | undefined;
  /** Text of the OpenAPI document; replaces the file of the entry. */
  document?: string | undefined;
  /** The start of an MCP server fails if its tools are not listed in this time. Default: 120,000. */
  startTimeoutMs?: number | undefined;
  /** Ends the MCP server, also during its start. */
  signal?: AbortSignal | undefined;
  onLog?: ServerLogListener | undefined;
  /** A token of the operator for the list of an MCP server with `auth`. */
  listToken?: string | undefined;
}

export async function openSource(id: string, entry: ToolkitEntry, options: OpenSourceOptions): Promise<OpenSource> {
  try {
    return await ('mcp' in entry ? openServer(id, entry, options) : openDocument(id, entry, options));
  } catch (error) {
    // Its message has no text of the server.
    if (error instanceof SignInRequired || !SvcError.is(error)) throw error;
    // Its cause would contain the unredacted words.
    throw new SvcError(error.code, entryRedactor(entry, options.env).text(error.message), error.details);
  }
}

/** The server with its folder: relative paths in its arguments are relative to `toolkits.yaml`. */
export function serverConfig(config: McpConfig, folder: string): McpConfig {
  return isHttp(config) ? config : { ...config, cwd: resolve(folder, config.cwd ?? '') };
}

async function openServer(
  id: string,
  entry: Presentation & { mcp: McpConfig },
  { folder, env, pins, startTimeoutMs, signal, onLog, listToken }: OpenSourceOptions,
): Promise<OpenSource> {
  const { mcp } = withVariables(entry, env) as typeof entry;
  const source = openMcp(serverConfig(mcp, folder), {
    toolkitId: id,
    names: pins && pinnedNames(pins),
    secrets: variableValues(entry, env),
    listToken,
    startTimeoutMs,
    signal,
    onLog,
  });
  try {
    const [toolkit, profile, actions] = [await source.details(), await source.profile(), await source.listActions()];
    const describe = await readDescriptions(entry.describe, folder);
    const presented = presentActions(actions, { ...entry, describe });
    const skipped = await source.listSkipped();
    return {
      toolkit,
      profile,
      actions,
      presented,
      tags: [],
      skipped,
      targets: [],
      baseUrl: undefined,
      leftOut: [],
      missing: [],
      authOf: () => source.auth,
      close: () => source.close(),
    };
  } catch (error) {
    await source.close();
    throw SvcError.is(error) ? error : new SvcError('INVALID_REQUEST', reasonOf(error), {}, { cause: error });
  }
}

/** Keeps the names of unset variables: a document can be read without its credentials. */
async function openDocument(
  id: string,
  entry: Presentation & { openapi: OpenapiEntry },
  { folder, env, pins, document }: OpenSourceOptions,
): Promise<OpenSource> {
  const unset = missingVariables(entry, env);
  const placeholders = Object.fromEntries(unset.map((name) => [name, `\${${name}}`]));
  const { openapi, include, exclude, describe, assume, long } = withVariables(entry, { ...env, ...placeholders }) as typeof entry;
  const { file, baseUrl, auth, headers, deprecated } = openapi;
  const text = document ?? (await fetchDocument(file, folder));
  const names = pins && pinnedNames(pins);
  const imported = importOpenapi(text, {
    toolkitId: id,
    baseUrl,
    auth,
    headers,
    deprecated,
    include,
    exclude,
    names,
    secrets: variableValues(entry, env),
  });
  const texts = await readDescriptions(describe, folder);
  const { known, unknown } = typeof describe === 'string' ? splitKnown(texts, imported) : { known: texts, unknown: [] };
  return {
    ...imported,
    targets: entryRedactor(entry, env).result(imported.targets),
    skipped: [
      ...imported.skipped,
      ...unknown.map((name) => ({ what: `${name} in ${describe}`, why: 'the document has no such operation' })),
    ],
    presented: presentActions(imported.actions, { describe: known, assume, long }),
    missing: [...unset.map((name) => `Set ${name} in the environment`), ...imported.missing.map(missingCredential)],
    close: async () => {},
  };
}

/** A shared file describes several versions of a document, and actions that an entry excludes. */
function splitKnown(texts: Readonly<Record<string, string>> = {}, { actions, leftOut }: { actions: NamedAction[]; leftOut: string[] }) {
  const [served, other] = [new Set(actions.map(({ action }) => action)), new Set(leftOut)];
  return {
    known: Object.fromEntries(Object.entries(texts).filter(([name]) => served.has(name))),
    unknown: Object.keys(texts).filter((name) => !served.has(name) && !other.has(name)),
  };
}

function missingCredential({ scheme, type, operations }: MissingCredential): string {
  const kind = type === 'oauth2' || type === 'openIdConnect' ? `${type}; a bearer token works` : type;
  return `auth: ${operations} of the actions need the scheme "${scheme}" (${kind})`;
}
