/** A tool of the API, and the content of its `tool_result`. */
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { type CallPayment, type JsonSchema, type ModelMedia, type Progress, SvcError } from 'svc-sdk';
import type { AgentTool, ToolsLike } from 'svc-sdk/agent-tool';
import { isRecursive } from './recursive';

/** A tool definition of the API, with the functions that a tool runner calls; JSON leaves those out. */
export interface SvcTool {
  type: 'custom';
  name: string;
  description: string;
  input_schema: JsonSchema & { type: 'object' };
  defer_loading?: true;
  /** A tool that programs may call has it, if `programmatic` is true. */
  allowed_callers?: ('direct' | CodeExecution['type'])[];
  parse(input: unknown): unknown;
  /** @throws ToolError, whose content is JSON for the model; the reason of `signal` */
  run(input: unknown, context?: RunContext): Promise<string | (ToolReference | SeenBlock)[]>;
}

/** The API's own tool that runs programs. */
export interface CodeExecution {
  type: 'code_execution_20260120';
  name: 'code_execution';
}

const CODE_EXECUTION: CodeExecution = { type: 'code_execution_20260120', name: 'code_execution' };

/** The API ends a call of a program after four minutes, and the program may then make it again. */
const LONGEST_MS = 200_000;

type WithPrograms = { programmatic: true };

/** The list holds the API's own tool too if `programmatic` is true. */
export interface SvcToolsFunction<Options> {
  (options: Options & WithPrograms): (SvcTool | CodeExecution)[];
  (options?: ToolsLike | Options): SvcTool[];
}

export interface LoadSvcToolsFunction<Options> {
  (options: Options & WithPrograms): Promise<(SvcTool | CodeExecution)[]>;
  (options?: ToolsLike | Options): Promise<SvcTool[]>;
}

/** Content of a `tool_result` besides references: texts, and what the model looks at. */
export type SeenBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: ImageType; data: string } }
  | { type: 'document'; source: { type: 'base64'; media_type: 'application/pdf'; data: string }; title: string };

type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** The context that a tool runner passes to a tool. Only `callTools` passes the last three. */
export interface RunContext {
  toolUse?: { id: string; caller?: { type: string } };
  signal?: AbortSignal | null | undefined;
  idempotencyKey?: string | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  onPayment?: ((payment: CallPayment) => void) | undefined;
}

/** Loads a deferred tool. */
export interface ToolReference {
  type: 'tool_reference';
  tool_name: string;
}

/** @throws SvcError INVALID_REQUEST for an action that the API refuses */
export function toAcceptedTools(tools: AgentTool[]): (SvcTool | CodeExecution)[] {
  const refused = tools.filter((tool) => !isAccepted(tool)).map(({ name }) => name);
  if (refused.length === 0) return withCodeExecution(tools.map(toSvcTool));
  const reason = 'The API accepts no tool with oneOf, anyOf or allOf at the top of its schema';
  throw new SvcError('INVALID_REQUEST', `${reason}: leave ${refused.join(', ')} to invoke_service`);
}

export function withCodeExecution(tools: SvcTool[]): (SvcTool | CodeExecution)[] {
  return tools.some((tool) => tool.allowed_callers) ? [{ ...CODE_EXECUTION }, ...tools] : tools;
}

export function toSvcTool(tool: AgentTool): SvcTool {
  // The API refuses a request with such a tool for programs.
  const program = tool.program && !isRecursive(tool.parameters) ? tool.program : undefined;
  return {
    type: 'custom',
    name: tool.name,
    description: program?.description ?? tool.description,
    input_schema: tool.parameters as SvcTool['input_schema'],
    ...(program && { allowed_callers: ['direct', CODE_EXECUTION.type] }),
    parse: (input) => input,
    async run(input, { toolUse, signal, ...reports } = {}) {
      const byProgram = isCode(toolUse) ? ({ madeBy: 'program', longestMs: LONGEST_MS } as const) : {};
      const options = { ...reports, ...byProgram, signal: signal ?? undefined, toolCallId: toolUse?.id };
      const { content, media, error } = await tool.answer(input, options);
      if (error) throw new ToolError(content);
      return media && !isCode(toolUse) ? [{ type: 'text', text: content }, ...media.map(toSeenBlock)] : content;
    },
  };
}

/** The API refuses images and documents in the result of a call that its code execution made. */
function isCode(toolUse: RunContext['toolUse']): boolean {
  return toolUse?.caller !== undefined && toolUse.caller.type !== 'direct';
}

/** The API refuses a whole request for one tool that is not accepted. */
export function isAccepted({ parameters }: AgentTool): boolean {
  return !['oneOf', 'anyOf', 'allOf'].some((keyword) => keyword in parameters);
}

function toSeenBlock({ mediaType, data, name }: ModelMedia): SeenBlock {
  if (mediaType === 'application/pdf') return { type: 'document', source: { type: 'base64', media_type: mediaType, data }, title: name };
  return { type: 'image', source: { type: 'base64', media_type: mediaType as ImageType, data } };
}
