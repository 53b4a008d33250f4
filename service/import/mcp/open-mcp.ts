/** An MCP server as a source of actions. It starts on first use. */
import { SvcError, type ToolkitDetails } from 'svc-sdk';
import type { ToolkitAuth } from '#sdk/protocol/connections';
import { readableText } from '#sdk/protocol/invisible-text';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { actionNames } from '../action-names';
import { BEARER, credentialAt } from '../credential';
import type { SkippedPart } from '../imported-action';
import { type ActionText, fingerprint, type ImportedToolkit, type NamedAction, pinApproval, type ToolkitPins } from '../pins';
import { type SourceProfile, serverProfile } from '../source-profile';
import { sourceRedactor } from '../source-redactor';
import { actionHandler } from './action-handler';
import { boundedLog } from './bounded-log';
import { isHttp, type McpConfig, type ServerLogListener } from './config';
import { type Connection, START_TIMEOUT_MS } from './connection';
import { mcpAuth } from './mcp-auth';
import type { ServerActionDetails } from './server-action';
import { namesSignIn, SignInRequired } from './sign-in-required';
import { RefusedByServer } from './upstream-error';
import { Upstreams } from './upstreams';

export interface OpenMcpOptions {
  /** The id of the toolkit: action names leave space for it and do not repeat it. Default: unknown. */
  toolkitId?: string | undefined;
  /** Name of a tool -> the fixed name of its action. `pinnedNames` makes the map from pins. */
  names?: ReadonlyMap<string, string> | undefined;
  /** Name -> a secret value, which `${name}` replaces in all texts of the server. Default: only the credentials of the config. */
  secrets?: Readonly<Record<string, string>> | undefined;
  /** A token of the operator for the list alone, at a server with `auth`. No call has it. */
  listToken?: string | undefined;
  /** The start fails if the tools are not listed in this time. Default: 120,000. */
  startTimeoutMs?: number | undefined;
  /** Ends the server, also during its start. */
  signal?: AbortSignal | undefined;
  /** Called with lines of stderr and with faults of the server. */
  onLog?: ServerLogListener | undefined;
}

type ChangeListener = (now: ImportedToolkit) => void;
type ProfileListener = (profile: SourceProfile) => void;

export interface McpSource {
  /** The server's name and description. Starts it. Rejects if it does not start. */
  details(): Promise<ToolkitDetails>;
  /** Starts the server. Rejects if it does not start. */
  profile(): Promise<SourceProfile>;
  /** Starts the server. Rejects if it does not start. */
  listActions(): Promise<NamedAction[]>;
  /** The tools that cannot become actions. Starts the server. Rejects if it does not start. */
  listSkipped(): Promise<SkippedPart[]>;
  /** The approved actions. Their first call starts the server. */
  pinnedActions(pins: ToolkitPins): NamedAction[];
  /**
   * Called with the name, the description and all actions if they differ from the approved or last listed ones: half a second after the server
   * reports a change, and after a restart.
   */
  onChange(listener: ChangeListener): void;
  /** Called each time the tools are listed. */
  onProfile(listener: ProfileListener): void;
  /** The connection that its toolkit asks for. */
  readonly auth: ToolkitAuth | undefined;
  /** True if each account may have a list of its own. */
  readonly hasOwnLists: boolean;
  /** Ends the server with all its processes. Running calls fail with UPSTREAM_LOST. */
  close(): Promise<void>;
}

const MAX_INSTRUCTIONS_CHARS = 400;
const MAX_LOGGED_CHARS = 2_000;
const ignore: ServerLogListener = () => {};

/** Throws INVALID_REQUEST for an invalid address. */
export function openMcp(config: McpConfig, options: OpenMcpOptions = {}): McpSource {
  const { toolkitId = '', names, secrets, listToken, startTimeoutMs = START_TIMEOUT_MS, signal, onLog = ignore } = options;
  checkAddress(config);
  const { auth, place } = mcpAuth(config) ?? {};
  const hasOwnLists = auth !== undefined && auth.from !== 'everyone';
  const source = sourceRedactor({ mcp: config }, secrets);
  const redactor = listToken === undefined ? source : source.with([{ value: listToken, shown: '[redacted]', isCredential: true }]);
  const logRedacted: ServerLogListener = ({ level, message }) => onLog({ level, message: redactor.text(message) });
  const listeners = new Set<ChangeListener>();
  const profileListeners = new Set<ProfileListener>();
  /** Original name -> the action as it was approved, or last listed. */
  let known: ReadonlyMap<string, ServerActionDetails> = new Map();
  let knownText: string | undefined;
  const log = boundedLog(logRedacted);
  let warned = '';
  const warnOfSkipped = ({ skipped }: Connection) => {
    const message =
      `Left out: ${skipped.map(({ what, part, why }) => `${part === undefined ? what : `${part} of ${what}`} (${why})`).join(', ')}`.slice(
        0,
        MAX_LOGGED_CHARS,
      );
    if (skipped.length > 0 && message !== warned) log({ level: 'warn', message });
    warned = message;
  };
  const onActions = (connection: Connection) => {
    warnOfSkipped(connection);
    for (const listener of profileListeners) listener(profileOf(connection));
    const toolkit = detailsOf(connection);
    // A tool that this account does not have may be another account's.
    known = new Map([...(hasOwnLists ? known : []), ...connection.actions]);
    const now = serverFingerprint(toolkit, known);
    const isChange = knownText !== undefined && knownText !== now;
    knownText = now;
    if (isChange) for (const listener of listeners) listener({ toolkit, actions: actionsOf(known) });
  };
  const access = { redactor, credential: listToken === undefined ? undefined : credentialAt(BEARER, listToken) };
  // A flood of the server's log must not hide this program's messages about it.
  const upstreams = new Upstreams(config, { access, startTimeoutMs, log, onMessage: boundedLog(logRedacted), onActions }, place);

  signal?.addEventListener('abort', () => void upstreams.close(), { once: true });

  const toAction = (action: string, original: string, text: ActionText, approved = fingerprint(text)): NamedAction => ({
    action,
    original,
    ...text,
    handler: actionHandler(upstreams, { original, approved, redactor, place }),
  });

  const actionsOf = (actions: ReadonlyMap<string, ServerActionDetails>): NamedAction[] => {
    const listed = [...actions.values()];
    const sources = listed.map(({ original, wantedName }) => ({ original: wantedName, key: original }));
    const named = actionNames(sources, toolkitId, names);
    return listed.map(({ original, wantedName, text }, index) => toAction(named[index] ?? wantedName, original, text));
  };

  const list = async <Listed>(read: (connection: Connection) => Listed): Promise<Listed> => {
    try {
      return await upstreams.shared.use(async (connection) => read(connection));
    } catch (error) {
      const isSignIn = error instanceof RefusedByServer && isHttp(config) && (auth !== undefined || namesSignIn(error.challenge));
      throw isSignIn && listToken === undefined ? new SignInRequired(config, error.challenge) : error;
    }
  };

  return {
    details: () => list(detailsOf),
    profile: () => list(profileOf),
    listActions: () => list(({ actions }) => actionsOf(actions)),
    listSkipped: () => list(({ skipped }) => [...skipped]),
    pinnedActions({ toolkit, actions }) {
      const pinned = Object.entries(actions).map(([action, { original = action, sha256, bareShape, ...text }]) => ({
        action,
        original,
        sha256,
        approved: pinApproval({ sha256, ...(bareShape && { bareShape }) }),
        text,
      }));
      if (knownText === undefined) {
        known = new Map(
          pinned.map(({ original, sha256, text }) => [original, { original, wantedName: original, fingerprint: sha256, text }]),
        );
        knownText = serverFingerprint(toolkit, known);
      }
      return pinned.map(({ action, original, text, approved }) => toAction(action, original, text, approved));
    },
    auth,
    hasOwnLists,
    onChange: (listener) => void listeners.add(listener),
    onProfile: (listener) => void profileListeners.add(listener),
    close: () => upstreams.close(),
  };
}

function serverFingerprint({ name, description }: ToolkitDetails, actions: ReadonlyMap<string, ServerActionDetails>): string {
  return JSON.stringify([name, description, ...[...actions.values()].map(({ original, fingerprint }) => [original, fingerprint]).sort()]);
}

function detailsOf({ client }: Connection): ToolkitDetails {
  const { name = '', title = name } = client.getServerVersion() ?? {};
  const instructions = readableText(client.getInstructions() ?? '')
    .trim()
    .slice(0, MAX_INSTRUCTIONS_CHARS);
  const shown = readableText(title).trim().slice(0, DEFAULT_LIMITS.toolkitNameChars);
  return { ...(shown && { name: shown }), ...(instructions && { description: instructions }) };
}

function profileOf({ client }: Connection): SourceProfile {
  return serverProfile({ ...client.getServerVersion() });
}

function checkAddress(config: McpConfig): void {
  if (!isHttp(config)) return;
  const url = URL.canParse(config.url) ? new URL(config.url) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return;
  throw new SvcError('INVALID_REQUEST', `url is the http:// or https:// address of an MCP server, not ${JSON.stringify(config.url)}`);
}
