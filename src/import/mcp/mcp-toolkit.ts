/** An MCP server as a toolkit: `const toolkit = await mcpToolkit({ server: { command: 'npx', args: ['-y', …] } })`. */
import { type StopOptions, Toolkit, type ToolkitOptions } from 'svc-sdk';
import { comparePins, type PinChange, pinsOf, type ToolkitPins } from '../pins';
import { type PresentOptions, presentActions } from '../present-actions';
import type { McpConfig } from './config';
import { type McpSource, type OpenMcpOptions, openMcp } from './open-mcp';

export interface McpToolkitOptions extends OpenMcpOptions, PresentOptions {
  server: McpConfig;
  /** How the toolkit reaches the service. `apiKey` defaults to SVC_TOOLKIT_API_KEY; an action that the service rejects does not end the others. */
  toolkit?: ToolkitOptions | undefined;
  /** The approved tools. With them the server starts with its first call. Default: the tools that it lists now. */
  pins?: ToolkitPins | undefined;
  /** When the tools differ from `pins`: `hold` (default) takes back those that changed and leaves out new ones; `accept` serves all of them. */
  onChange?: 'hold' | 'accept' | undefined;
  /** Called with what is held or gone, each time that the tools change. */
  onHeld?: ((changes: PinChange[]) => void) | undefined;
}

/** The toolkit, not yet running. Rejects when the server does not start, and for options that cannot work. */
export async function mcpToolkit(options: McpToolkitOptions): Promise<Toolkit> {
  const { server, toolkitId, onLog, toolkit: toolkitOptions, pins, onChange = 'hold', onHeld, ...present } = options;
  const source = openMcp(server, { toolkitId, onLog });
  try {
    const toolkit = new McpToolkit({ onRejected: 'skip', ...toolkitOptions }, source);
    const approved = pins ?? pinsOf({ toolkit: await source.details(), actions: await source.listActions() });
    const pinned = source.pinnedActions(approved);
    toolkit.setActions(presentActions(pinned, present));
    await toolkit.updateToolkit(approved.toolkit);
    source.onChange((actions) => {
      const { served, changes } = comparePins({ toolkit: approved.toolkit, actions }, approved);
      const offered = onChange === 'accept' ? actions : served;
      const names = new Set(offered.map(({ action }) => action));
      // A filter must fit an action. The approved ones stay in the list for that, also when the server has them no longer.
      const all = [...offered, ...pinned.filter(({ action }) => !names.has(action))];
      toolkit.setActions(presentActions(all, present).filter(({ action }) => names.has(action)));
      onHeld?.(changes);
    });
    return toolkit;
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** The server ends with the toolkit, however that ends. */
class McpToolkit extends Toolkit {
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
