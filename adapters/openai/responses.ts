/** The Responses API. */
import { type CallToolsOptions, type JsonSchema, type ModelMedia, SvcError, type ToolDefinition } from 'svc-sdk';
import { type AgentTool, defineAdapter, type ToolsLike } from 'svc-sdk/agent-tool';
import { type LoadSvcOpenAiOptions, OPENAI, type SvcOpenAiOptions, type WithImages, type WithPrograms } from './options';
import { type WholeTools, wholeTools } from './whole-tools';
import { withMethods } from './with-methods';

/** Tools for `responses.create({ tools })`. */
export interface SvcResponsesTools<Output = string, Tool = ResponsesFunctionTool> extends Array<Tool> {
  /**
   * Answers the `function_call` items of `response.output`: one item for each, in order. A failure is an answer too. Items of other types need
   * no answer.
   *
   * @throws the reason of `signal`, once it is aborted
   */
  callTools(output: readonly ResponsesItem[] | null | undefined, options?: CallToolsOptions): Promise<FunctionCallOutput<Output>[]>;
  /** Tools for `new ResponsesToolRunner({ functions })` of openai 7. */
  readonly functions: RunnerFunction[];
}

export interface ResponsesItem {
  type: string;
}

export interface ResponsesFunctionTool {
  type: 'function';
  name: string;
  description: string;
  parameters: JsonSchema;
  /** Strict functions allow no free-form payload. */
  strict: false;
  /** A tool that programs may call has it, if `programmatic` is true. */
  allowed_callers?: ('direct' | 'programmatic')[];
  /** JSON Schema of the texts for programs, if `programmatic` is true and the action declares its result. */
  output_schema?: JsonSchema;
}

/** The API's own tool that runs programs. */
export interface ProgramsTool {
  type: 'programmatic_tool_calling';
}

type WithProgramsTool = SvcResponsesTools<SeenOutput, ResponsesFunctionTool | ProgramsTool>;

export interface FunctionCallOutput<Output = string> {
  type: 'function_call_output';
  call_id: string;
  output: Output;
  /** That of the call: the API gives the output of a program's call to that program. */
  caller?: FunctionCaller | null;
}

/** `caller_id` is the `call_id` of the `program` item whose code made the call. */
export type FunctionCaller = { type: 'direct' } | { type: 'program'; caller_id: string };

/** A text, or with `images: true` a text with the media. openai 5 has no types for these. */
export type SeenOutput = string | SeenPart[];

export type SeenPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  | { type: 'input_file'; filename: string; file_data: string };

export interface RunnerFunction {
  tool: ResponsesFunctionTool;
  independent: true;
  execute(input: Record<string, unknown>, options?: { signal: AbortSignal | undefined }): Promise<string>;
}

const adapter = defineAdapter({ withoutApproval: OPENAI, programs: 'marked', translate: toSvcResponsesTools });

/** `svcTools` for the Responses API. */
export function svcResponsesTools(options: SvcOpenAiOptions & WithPrograms): WithProgramsTool;
export function svcResponsesTools(options: SvcOpenAiOptions & WithImages): SvcResponsesTools<SeenOutput>;
export function svcResponsesTools(options?: ToolsLike | SvcOpenAiOptions): SvcResponsesTools;
export function svcResponsesTools(options?: ToolsLike | SvcOpenAiOptions): object {
  return adapter.svcTools(options);
}

/** `loadSvcTools` for the Responses API. */
export function loadSvcResponsesTools(options: LoadSvcOpenAiOptions & WithPrograms): Promise<WithProgramsTool>;
export function loadSvcResponsesTools(options: LoadSvcOpenAiOptions & WithImages): Promise<SvcResponsesTools<SeenOutput>>;
export function loadSvcResponsesTools(options?: ToolsLike | LoadSvcOpenAiOptions): Promise<SvcResponsesTools>;
export function loadSvcResponsesTools(options?: ToolsLike | LoadSvcOpenAiOptions): Promise<object> {
  return adapter.loadSvcTools(options);
}

function toSvcResponsesTools(tools: AgentTool[], client: ToolsLike): SvcResponsesTools<string, ResponsesFunctionTool | ProgramsTool> {
  const whole = wholeTools(client);
  const images = tools.some((tool) => tool.images);
  const listed = tools.map(toProgramsFunction);
  const hosted: ProgramsTool[] = tools.some(({ program }) => program) ? [{ type: 'programmatic_tool_calling' }] : [];
  return withMethods([...hosted, ...listed], {
    callTools: (output, options) => callFunctions(whole, images, output, options),
    functions: tools.map(toRunnerFunction),
  });
}

export function toResponsesTool({ name, description, parameters }: ToolDefinition): ResponsesFunctionTool {
  return { type: 'function', name, description, parameters, strict: false };
}

function toProgramsFunction(tool: AgentTool): ResponsesFunctionTool {
  const { program } = tool;
  if (!program) return toResponsesTool(tool);
  const { outputSchema } = program;
  return { ...toResponsesTool(tool), allowed_callers: ['direct', 'programmatic'], ...(outputSchema && { output_schema: outputSchema }) };
}

/** The runner gives no output back to a program. */
function toRunnerFunction(tool: AgentTool): RunnerFunction {
  return {
    tool: toResponsesTool(tool),
    independent: true,
    // A throw would end the run here too.
    execute: async (input, options) => (await tool.answer(input, options)).content,
  };
}

interface FunctionCall extends ResponsesItem {
  call_id: string;
  name: string;
  arguments: string;
  caller?: FunctionCaller | null;
}

/** The output of an item with images may be `SeenPart[]`; the overloads of the exported functions show it. */
export async function callFunctions(
  client: WholeTools,
  images: boolean,
  output: readonly ResponsesItem[] | null | undefined,
  options: CallToolsOptions = {},
): Promise<FunctionCallOutput<string>[]> {
  const calls = itemsOf<FunctionCall>(output, 'function_call');
  if (images)
    return Promise.all(calls.map((call, index) => showOutput(client, call, index, options))) as Promise<FunctionCallOutput<string>[]>;
  const toolCalls = calls.map(({ call_id, name, arguments: input, caller }) => ({
    id: call_id,
    type: 'function',
    function: { name, arguments: input },
    ...madeBy(caller),
  }));
  const messages = await client.callTools(toolCalls, options);
  return messages.map(({ tool_call_id, content }, index) => toOutput(tool_call_id, content, calls[index]?.caller));
}

async function showOutput(
  client: WholeTools,
  { call_id, name, arguments: input, caller }: FunctionCall,
  index: number,
  { signal, idempotencyKey, onProgress, onPayment }: CallToolsOptions,
): Promise<FunctionCallOutput<SeenOutput>> {
  const { content, media } = await client.answerTool(name, input, {
    signal,
    toolCallId: call_id,
    ...madeBy(caller),
    idempotencyKey: idempotencyKey && `${idempotencyKey}/${index}`,
    onProgress: onProgress && ((progress) => onProgress(progress, call_id)),
    onPayment: onPayment && ((payment) => onPayment(payment, call_id)),
  });
  // Code reads texts.
  const shown = isProgram(caller) ? undefined : media;
  const output: SeenOutput = shown ? [{ type: 'input_text', text: content }, ...shown.map(toSeenPart)] : content;
  return toOutput(call_id, output, caller);
}

function isProgram(caller: FunctionCaller | null | undefined): boolean {
  return caller?.type === 'program';
}

function madeBy(caller: FunctionCaller | null | undefined): { madeBy?: 'program' } {
  return isProgram(caller) ? { madeBy: 'program' } : {};
}

function toOutput<Output>(call_id: string, output: Output, caller: FunctionCaller | null | undefined): FunctionCallOutput<Output> {
  return { type: 'function_call_output', call_id, output, ...(caller && { caller }) };
}

function toSeenPart({ mediaType, data, name }: ModelMedia): SeenPart {
  const url = `data:${mediaType};base64,${data}`;
  if (mediaType.startsWith('image/')) return { type: 'input_image', image_url: url, detail: 'auto' };
  return { type: 'input_file', filename: name, file_data: url };
}

export function itemsOf<Item extends ResponsesItem>(output: readonly ResponsesItem[] | null | undefined, type: string): Item[] {
  if (output && !Array.isArray(output))
    throw new SvcError('INVALID_REQUEST', 'callTools takes the list `response.output`, not the response');
  return (output ?? []).filter((item): item is Item => item?.type === type);
}
