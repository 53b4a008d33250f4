/** The tools of a `Tools`, each as an `AgentTool`. */
import { SvcError } from 'svc-sdk';
import { type AgentTool, agentTool, loadAgentTool } from './agent-tool';
import { type LoadSvcToolsOptions, readOptions, type SvcToolsOptions, type ToolsLike } from './options';

/** `search_services` and `invoke_service`. Makes no network call. */
export function agentTools(options?: ToolsLike | SvcToolsOptions): AgentTool[] {
  const { tools, needsApproval, askAbove, images, programmatic, ...selection } = readOptions(options);
  const [name] = Object.keys(selection);
  if (name) throw new SvcError('INVALID_REQUEST', `${name} takes a network call: write \`await loadSvcTools({ ${name}: … })\` instead`);
  return tools.definitions().map((definition) => agentTool(tools, definition, { needsApproval, askAbove, images, programmatic }));
}

/**
 * The same with static toolkits and actions, each as a separate tool.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have; INVALID_REQUEST when no tool is chosen
 */
export async function loadAgentTools(options?: ToolsLike | LoadSvcToolsOptions): Promise<AgentTool[]> {
  const { tools, needsApproval, askAbove, images, programmatic, ...selection } = readOptions(options);
  const definitions = await tools.loadDefinitions(selection);
  const rules = { needsApproval, askAbove, images, programmatic };
  return Promise.all(definitions.map((definition) => loadAgentTool(tools, definition, rules)));
}
