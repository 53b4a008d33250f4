/** An MCP server as a toolkit: `const toolkit = await mcpToolkit({ server: { command: 'npx', args: ['-y', …] } })`. */
import { type StopOptions, Toolkit, type ToolkitOptions } from 'svc-sdk';
import { type FilterOptions, filterActions } from '../action-filters';
import { comparePins, type NamedAction, type PinChange, pinsOf, type ToolkitPins } from '../pins';
import type { McpConfig } from './config';
import { type McpSource, type OpenMcpOptions, openMcp } from './open-mcp';

export interface McpToolkitOptions extends ToolkitOptions, FilterOptions, OpenMcpOptions {
  server: McpConfig;
  /** What was approved. With it the server starts with its first call. Default: what the server lists now. */
  pins?: ToolkitPins | undefined;
  /** When the tools differ from `pins`: `hold` (default) takes back those that changed, and leaves out new ones; `accept` serves them all. */
  onChange?: 'hold' | 'accept' | undefined;
  /** Called with what is held or gone, each time that the tools change. */
  onHeld?: ((changes: PinChange[]) => void) | undefined;
}

/** Rejects when the server does not start, and for options that cannot work. */
export async function mcpToolkit(options: McpToolkitOptions): Promise<Toolkit> {
  const { server, toolkitId, onLog, pins, include, exclude, onChange = 'hold', onHeld, ...toolkitOptions } = options;
  const source = openMcp(server, { toolkitId, onLog });
  try {
    const toolkit = new McpToolkit({ onRejected: 'skip', ...toolkitOptions }, source);
    const approved = pins ?? pinsOf({ toolkit: await source.details(), actions: await source.listActions() });
    const serve = (actions: readonly NamedAction[]) => {
      const kept = filterActions(
        actions.map((action) => ({ ...action, names: [action.action, action.original ?? action.action] })),
        { include, exclude },
      );
      toolkit.setActions(kept);
    };
    serve(source.pinnedActions(approved));
    await toolkit.updateToolkit(approved.toolkit);
    source.onChange((actions) => {
      const { served, changes } = comparePins({ toolkit: approved.toolkit, actions }, approved);
      serve(onChange === 'accept' ? actions : served);
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
