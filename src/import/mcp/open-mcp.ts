/** An MCP server as a source of actions. Nothing starts before it is asked for something. */
import { SvcError, type ToolkitDetails } from 'svc-sdk';
import { DEFAULT_LIMITS } from '../../protocol/limits';
import { actionNames } from '../action-names';
import { type ActionText, fingerprint, type ImportedToolkit, type NamedAction, type ToolkitPins } from '../pins';
import { boundedLog } from './bounded-log';
import { toolHandler } from './call-tool';
import { isHttp, type McpConfig, type ServerLogListener } from './config';
import type { Connection } from './connection';
import { toActionText } from './tool-text';
import { Upstreams } from './upstreams';

export interface OpenMcpOptions {
  /** The id of the toolkit: names of actions leave room for it and do not repeat it. Default: unknown. */
  toolkitId?: string | undefined;
  /** Name of a tool -> the name of its action, whatever else the server has. `pinnedNames` makes it of pins. */
  names?: ReadonlyMap<string, string> | undefined;
  /** Ends the server, also while it starts. */
  signal?: AbortSignal | undefined;
  /** Called with lines of stderr and with what the server does wrong. */
  onLog?: ServerLogListener | undefined;
}

type ChangeListener = (now: ImportedToolkit) => void;

export interface McpSource {
  /** Name and description, as the server states them. Starts it. Rejects when it does not start. */
  details(): Promise<ToolkitDetails>;
  /** Starts the server. Rejects when it does not start. */
  listActions(): Promise<NamedAction[]>;
  /** The approved actions: the server starts with their first call. */
  pinnedActions(pins: ToolkitPins): NamedAction[];
  /**
   * Called with the name, the description and all actions when they differ from the approved or last listed ones: half a second after the server said
   * so, and after it started again.
   */
  onChange(listener: ChangeListener): void;
  /** Ends the server with all its processes. Calls that run fail with UPSTREAM_LOST. */
  close(): Promise<void>;
}

const MAX_INSTRUCTIONS_CHARS = 400;
const ignore: ServerLogListener = () => {};

/** Throws INVALID_REQUEST for an address that is none. */
export function openMcp(config: McpConfig, { toolkitId = '', names, signal, onLog = ignore }: OpenMcpOptions = {}): McpSource {
  checkAddress(config);
  const listeners = new Set<ChangeListener>();
  let known: string | undefined;
  const upstreams = new Upstreams(config, {
    log: boundedLog(onLog),
    onTools(connection) {
      const toolkit = detailsOf(connection);
      const tools = [...connection.tools].map(([name, listed]): [string, string] => [name, listed.fingerprint]);
      const now = serverFingerprint(toolkit, tools);
      const isChange = known !== undefined && known !== now;
      known = now;
      if (isChange) for (const listener of listeners) listener({ toolkit, actions: actionsOf(connection) });
    },
  });

  signal?.addEventListener('abort', () => void upstreams.close(), { once: true });

  const toAction = (action: string, original: string, text: ActionText): NamedAction => ({
    action,
    original,
    ...text,
    handler: toolHandler(upstreams, original, fingerprint(text)),
  });

  const actionsOf = ({ tools }: Connection): NamedAction[] => {
    const listed = [...tools.values()].map(({ tool }) => tool);
    const sources = listed.map(({ name }) => ({ original: name, key: name }));
    const actions = actionNames(sources, toolkitId, names);
    return listed.map((tool, index) => toAction(actions[index] ?? tool.name, tool.name, toActionText(tool)));
  };

  return {
    details: () => upstreams.shared.use(async (connection) => detailsOf(connection)),
    listActions: () => upstreams.shared.use(async (connection) => actionsOf(connection)),
    pinnedActions({ toolkit, actions }) {
      const pinned = Object.entries(actions);
      known ??= serverFingerprint(
        toolkit,
        pinned.map(([action, { original = action, sha256 }]) => [original, sha256]),
      );
      return pinned.map(([action, { original = action, sha256: _, ...text }]) => toAction(action, original, text));
    },
    onChange: (listener) => void listeners.add(listener),
    close: () => upstreams.close(),
  };
}

/** @param tools name and fingerprint of each */
function serverFingerprint({ name, description }: ToolkitDetails, tools: [string, string][]): string {
  return JSON.stringify([name, description, ...tools.sort()]);
}

function detailsOf({ client }: Connection): ToolkitDetails {
  const { name = '', title = name } = client.getServerVersion() ?? {};
  const instructions = client.getInstructions()?.trim().slice(0, MAX_INSTRUCTIONS_CHARS);
  const shown = title.trim().slice(0, DEFAULT_LIMITS.toolkitNameChars);
  return { ...(shown && { name: shown }), ...(instructions && { description: instructions }) };
}

function checkAddress(config: McpConfig): void {
  if (!isHttp(config)) return;
  const url = URL.canParse(config.url) ? new URL(config.url) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return;
  throw new SvcError('INVALID_REQUEST', `url is the http:// or https:// address of an MCP server, not ${JSON.stringify(config.url)}`);
}
