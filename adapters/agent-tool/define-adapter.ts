/** `svcTools` and `loadSvcTools` of one framework, made from its translation of a tool. */
import { SvcError } from 'svc-sdk';

import type { AgentTool } from './agent-tool';
import { agentTools, loadAgentTools } from './agent-tools';
import {
  type LoadSvcToolsOptions,
  optionsWithoutApproval,
  readOptions,
  type SvcToolsOptions,
  type ToolsLike,
  type WithoutApproval,
} from './options';
import { OF_ONE_TOOL, toBeSpread } from './to-be-spread';

export interface AdapterDefinition<Loaded, Extra extends unknown[]> {
  /**
   * Present if an API behind the framework lets programs of the model call tools, and `programmatic` is allowed. `marked`: the adapter passes `madeBy`
   * with the calls of programs. `unmarked`: the framework does not say which calls those are, so the service could not refuse one of `invoke_service`.
   */
  programs?: 'marked' | 'unmarked';
  /**
   * Translates the tools to the shape that the framework takes.
   *
   * @param client the `Tools` that the tools call
   * @param extra further arguments of `svcTools` and `loadSvcTools`
   */
  translate(tools: AgentTool[], client: ToolsLike, ...extra: Extra): Loaded;
}

/** The definition for a framework without approval before a call. */
export interface AdapterDefinitionWithoutApproval<Loaded, Extra extends unknown[]> extends AdapterDefinition<Loaded, Extra> {
  /** Name of the framework, for the error when a program passes `needsApproval`. */
  withoutApproval: string;
}

export interface Adapter<Dynamic, Loaded, Extra extends unknown[], Options = SvcToolsOptions, LoadOptions = LoadSvcToolsOptions> {
  /** `search_services` and `invoke_service`. Makes no network call. */
  svcTools: (options?: ToolsLike | Options, ...extra: Extra) => Dynamic;
  /**
   * The same with static toolkits and actions, each as a separate tool, named by its action id.
   *
   * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have
   */
  loadSvcTools: (options?: ToolsLike | LoadOptions, ...extra: Extra) => Promise<Loaded>;
}

/**
 * Makes an adapter: `const { svcTools, loadSvcTools } = defineAdapter({ translate: (tools) => tools.map(toMyTool) })`.
 *
 * Its `Dynamic` is a more precise type for the two tools that `svcTools` returns, where the framework has one.
 */
export function defineAdapter<Loaded, Dynamic = Loaded, Extra extends unknown[] = []>(
  definition: AdapterDefinitionWithoutApproval<Loaded, Extra>,
): Adapter<Dynamic, Loaded, Extra, WithoutApproval<SvcToolsOptions>, WithoutApproval<LoadSvcToolsOptions>>;
export function defineAdapter<Loaded, Dynamic = Loaded, Extra extends unknown[] = []>(
  definition: AdapterDefinition<Loaded, Extra>,
): Adapter<Dynamic, Loaded, Extra>;
export function defineAdapter<Loaded, Dynamic, Extra extends unknown[]>({
  translate,
  withoutApproval,
  programs,
}: AdapterDefinition<Loaded, Extra> & { withoutApproval?: string }): Adapter<Dynamic, Loaded, Extra> {
  const read = (options?: ToolsLike | LoadSvcToolsOptions) => {
    const chosen = withoutApproval ? { ...optionsWithoutApproval(withoutApproval, options), needsApproval: false } : readOptions(options);
    if (chosen.programmatic && !programs)
      throw new SvcError('INVALID_REQUEST', 'programmatic has no effect here: no API behind these tools lets programs call them');
    return chosen;
  };
  const forPrograms = (tools: AgentTool[]) => (programs === 'unmarked' ? tools.map(withoutInvoke) : tools);
  const spreadable = (loaded: Loaded) => (Array.isArray(loaded) ? toBeSpread(loaded) : loaded);
  const load = async (options: ToolsLike | LoadSvcToolsOptions | undefined, extra: Extra) => {
    const chosen = read(options);
    return spreadable(translate(forPrograms(await loadAgentTools(chosen)), chosen.tools, ...extra));
  };
  return {
    svcTools(options, ...extra) {
      const chosen = read(options);
      return spreadable(translate(forPrograms(agentTools(chosen)), chosen.tools, ...extra)) as Loaded & Dynamic;
    },
    loadSvcTools: (options, ...extra) => toBeAwaited(load(options, extra)),
  };
}

function withoutInvoke(tool: AgentTool): AgentTool {
  const { program, ...rest } = tool;
  return tool.name === 'invoke_service' ? rest : tool;
}

/**
 * Makes a framework fail that takes the promise for the tools. Most would see an empty object, and their agent would chat on without tools.
 *
 * @param property the one that the framework reads first
 */
export function toBeAwaited<T>(promise: Promise<T>, property = 'map'): Promise<T> {
  const get = (): never => {
    throw new SvcError('INVALID_REQUEST', 'loadSvcTools returns a promise: write `tools: await loadSvcTools(…)`');
  };
  const trap = { enumerable: true, get };
  // The iterator is for lists, callTool for Google, and the last one for frameworks that list the properties of an object.
  const traps = { [property]: trap, [Symbol.iterator]: trap, callTool: trap, 'await loadSvcTools()': trap };
  const ofOneTool = Object.fromEntries(OF_ONE_TOOL.map((name) => [name, { get }]));
  return Object.defineProperties(promise, { ...ofOneTool, ...traps });
}
