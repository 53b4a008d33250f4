/** An MCP server as a toolkit: `const toolkit = await mcpToolkit({ server: { command: 'npx', args: ['-y', …] } })`. */
import type { StopOptions, Toolkit, ToolkitOptions } from 'svc-sdk';
import { DescribedToolkit } from '../described-toolkit';
import { comparePins, completePins, type ImportedToolkit, type PinChange, pinnedNames, pinsOf, type ToolkitPins } from '../pins';
import { type PresentOptions, presentActions } from '../present-actions';
import { reasonOf } from '../reason-of';
import type { McpConfig } from './config';
import { type McpSource, type OpenMcpOptions, openMcp } from './open-mcp';

export interface McpToolkitOptions extends Omit<OpenMcpOptions, 'names'>, PresentOptions {
  server: McpConfig;
  /** Connection to the service. `apiKey` defaults to SVC_TOOLKIT_API_KEY; an action that the service rejects does not end the others. */
  toolkit?: ToolkitOptions | undefined;
  /** The approved tools, with which the server starts only at its first call. Default: its current list, which `listToken` may open. */
  pins?: ToolkitPins | undefined;
  /** If the server differs from `pins`: `hold` (default) removes changed tools and leaves out new ones; `accept` serves all of them. */
  onChange?: 'hold' | 'accept' | undefined;
  /** Called after each change of the server, with the held and removed actions, and with all current ones. */
  onHeld?: ((changes: PinChange[], now: ImportedToolkit) => void) | undefined;
  /** Called with all current actions if pins without the shape of a result took it, without its texts. Another shape is held from then on. */
  onCompleted?: ((now: ImportedToolkit) => void) | undefined;
}

/** Makes the toolkit, not yet running. Rejects if the server does not start, and for invalid options. */
export async function mcpToolkit(options: McpToolkitOptions): Promise<Toolkit> {
  const { server, toolkitId, secrets, listToken, startTimeoutMs, signal, onLog, ...choices } = options;
  const { toolkit: toolkitOptions, pins, onChange = 'hold', onHeld, onCompleted, ...present } = choices;
  const source = openMcp(server, { toolkitId, names: pins && pinnedNames(pins), secrets, listToken, startTimeoutMs, signal, onLog });
  const asked = source.auth && { auth: source.auth };
  try {
    const toolkit = new McpToolkit({ onRejected: 'skip', ...toolkitOptions }, source);
    source.onProfile((profile) => void toolkit.describe(profile));
    let approved = pins ?? pinsOf({ toolkit: await source.details(), actions: await source.listActions() });
    const pinned = source.pinnedActions(approved);
    toolkit.setActions(presentActions(pinned, present));
    await toolkit.updateToolkit({ ...approved.toolkit, ...asked });
    const serve = async (now: ImportedToolkit) => {
      // First: registering the actions would send the former name and description.
      if (onChange === 'accept') await toolkit.updateToolkit(now.toolkit).catch(() => {});
      const { served, changes } = comparePins(now, approved);
      // Accounts with lists of their own may have other shapes.
      const completed = source.hasOwnLists || onChange === 'accept' ? undefined : completePins(now, approved);
      approved = completed ?? approved;
      // One account's list says nothing about another's: each call compares its tool with the approved one.
      const approvedNow = source.hasOwnLists ? pinned : served;
      const offered = onChange === 'accept' ? now.actions : approvedNow;
      const names = new Set(offered.map(({ action }) => action));
      // A filter must match an action, so approved actions stay in the list, also after the server removed them.
      const all = [...offered, ...pinned.filter(({ action }) => !names.has(action))];
      toolkit.setActions(presentActions(all, present).filter(({ action }) => names.has(action)));
      onHeld?.(changes, now);
      if (completed) onCompleted?.(now);
    };
    source.onChange((now) => {
      serve(now).catch((error) => onLog?.({ level: 'warn', message: `The changed tools cannot be served: ${reasonOf(error)}` }));
    });
    return toolkit;
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** The server always ends with the toolkit. */
class McpToolkit extends DescribedToolkit {
  readonly #source: McpSource;

  constructor(options: ToolkitOptions, source: McpSource) {
    super(options);
    this.#source = source;
  }

  override async run(): Promise<void> {
    try {
      await super.run();
    } finally {
      await this.#source.close();
    }
  }

  override async stop(options: StopOptions = {}): Promise<void> {
    await super.stop(options);
    await this.#source.close();
  }
}
