/** The kit for adapters: `defineAdapter`, and one tool of a model in no framework's words. docs/adapters.md shows a whole adapter. */
export type { AgentCallOptions, AgentTool } from './agent-tool/agent-tool';
export { agentTools, loadAgentTools } from './agent-tool/agent-tools';
export type { ApprovedCall, Decision } from './agent-tool/approval';
export {
  type Adapter,
  type AdapterDefinition,
  type AdapterDefinitionWithoutApproval,
  defineAdapter,
  toBeAwaited,
} from './agent-tool/define-adapter';
export { failedAnswer, splitMedia } from './agent-tool/model-answer';
export {
  type CallsOptions,
  type LoadSvcToolsOptions,
  type NeedsApproval,
  optionsWithoutApproval,
  type SvcToolsOptions,
  type ToolsLike,
  type WithoutApproval,
} from './agent-tool/options';
export type { ProgramTool } from './agent-tool/programs';
export { type CallReport, withReports } from './agent-tool/reports';
export { toBeSpread } from './agent-tool/to-be-spread';
