/** The answer. */
import type {
  Response,
  ResponseFunctionToolCall,
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseOutputText,
  ResponseToolSearchCall,
} from 'openai/resources/responses/responses';
import { parseJson } from '../parse-json.ts';
import { argumentsText, countTokens, randomText, type Speech, type SpokenCall } from '../speech.ts';
import { RequestError } from '../wire.ts';
import type { ResponsesRequest } from './request.ts';

/** The client adds `output_text`. */
export type WireResponse = Omit<Response, 'output_text' | 'access_programs' | 'output' | 'tools'> & {
  output: OutputItem[];
  tools: ResponsesRequest['tools'];
};
export type OutputItem =
  | (Omit<ResponseOutputMessage, 'content'> & { content: ResponseOutputText[] })
  | (ResponseFunctionToolCall & { id: string })
  | (ResponseToolSearchCall & { call_id: string; execution: 'client' })
  | ResponseOutputItem.Program
  | ResponseOutputItem.ProgramOutput;

export function toResponse(request: ResponsesRequest, speech: Speech): WireResponse {
  const output = [...toPrograms(speech), ...toSpoken(request, speech)];
  return {
    id: `resp_${randomText(48)}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'completed',
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    metadata: {},
    model: request.model,
    output,
    parallel_tool_calls: true,
    previous_response_id: request.previous_response_id ?? null,
    temperature: 1,
    tool_choice: 'auto',
    tools: request.tools,
    top_p: 1,
    usage: usageOf(request, output),
  };
}

function toPrograms({ program, ended }: Speech): OutputItem[] {
  const begun: OutputItem[] =
    program?.code === undefined
      ? []
      : [{ type: 'program', id: `prog_${randomText(24)}`, call_id: program.id, code: program.code, fingerprint: `fp_${program.id}` }];
  if (!ended) return begun;
  return [...begun, { type: 'program_output', id: `po_${randomText(24)}`, call_id: ended.id, result: ended.result, status: 'completed' }];
}

function toSpoken(request: ResponsesRequest, speech: Speech): OutputItem[] {
  if (!('calls' in speech)) return speech.ended && speech.content === '' ? [] : [toMessage(speech.content)];
  const { program } = speech;
  if (!program) return speech.calls.map((call) => toCall(call, request));
  for (const { name } of speech.calls) refuseProgramCall(request, name);
  return speech.calls.map((call) => ({ ...toCall(call, request), caller: { type: 'program', caller_id: program.id } }) as OutputItem);
}

function refuseProgramCall({ tools }: ResponsesRequest, name: string): void {
  const mayCall = tools.some((tool) => tool.type === 'function' && tool.name === name && tool.allowed_callers?.includes('programmatic'));
  if (mayCall && tools.some(({ type }) => type === 'programmatic_tool_calling')) return;
  throw new RequestError(500, `The script broke: no program may call ${name}`);
}

function toMessage(text: string): OutputItem {
  return {
    id: `msg_${randomText(48)}`,
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  };
}

function toCall(call: SpokenCall, { tools }: ResponsesRequest): OutputItem {
  const call_id = call.id ?? `call_${randomText(24)}`;
  const text = argumentsText(call);
  return tools.some(({ type }) => type === 'tool_search' && type === call.name)
    ? {
        id: `tsc_${randomText(48)}`,
        type: 'tool_search_call',
        call_id,
        arguments: parseJson(text),
        execution: 'client',
        status: 'completed',
      }
    : { id: `fc_${randomText(48)}`, type: 'function_call', call_id, name: call.name, arguments: text, status: 'completed' };
}

function usageOf(request: ResponsesRequest, output: OutputItem[]): NonNullable<Response['usage']> {
  const input_tokens = countTokens(request.input) + countTokens(request.tools);
  const output_tokens = countTokens(output);
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + output_tokens,
  };
}
