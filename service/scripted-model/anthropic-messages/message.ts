/** The answer: a message, whole or as server-sent events. */
import type {
  CodeExecutionResultBlock,
  ContentBlock,
  Message,
  RawMessageStreamEvent,
  ToolUseBlock,
  Usage,
} from '@anthropic-ai/sdk/resources/messages';
import { parseJson } from '../parse-json.ts';
import { argumentsText, countTokens, MODEL, pieces, randomText, type Speech, type SpokenCall } from '../speech.ts';
import { RequestError } from '../wire.ts';
import { CONTAINER, isForPrograms } from './programs.ts';
import type { MessagesRequest } from './request.ts';

export function toMessage(request: MessagesRequest, speech: Speech): Message {
  const content = [...toPrograms(speech), ...toSpoken(request, speech)];
  return {
    id: `msg_01${randomText(22)}`,
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content,
    stop_reason: 'calls' in speech ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    stop_details: null,
    container: speech.program ? { id: CONTAINER, expires_at: '2026-12-01T00:00:00Z', skills: null } : null,
    diagnostics: null,
    usage: usageOf(request, content),
  };
}

/** The same message in pieces. */
export function* toMessageEvents({ content, stop_reason, usage, ...head }: Message): Generator<RawMessageStreamEvent> {
  const start: Message = { ...head, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  yield { type: 'message_start', message: start };
  for (const [index, block] of content.entries()) {
    if (block.type === 'text') {
      yield { type: 'content_block_start', index, content_block: { ...block, text: '' } };
      for (const text of pieces(block.text)) yield { type: 'content_block_delta', index, delta: { type: 'text_delta', text } };
    } else if (block.type === 'code_execution_tool_result') {
      yield { type: 'content_block_start', index, content_block: block };
    } else if (block.type === 'tool_use' || block.type === 'server_tool_use') {
      yield { type: 'content_block_start', index, content_block: { ...block, input: {} } };
      for (const partial_json of pieces(JSON.stringify(block.input)))
        yield { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } };
    }
    yield { type: 'content_block_stop', index };
  }
  const { stop_sequence, stop_details, container } = head;
  yield { type: 'message_delta', delta: { stop_reason, stop_sequence, stop_details, container }, usage };
  yield { type: 'message_stop' };
}

function toPrograms({ program, ended }: Speech): ContentBlock[] {
  const direct = { type: 'direct' } as const;
  const begun: ContentBlock[] =
    program?.code === undefined
      ? []
      : [{ type: 'server_tool_use', id: program.id, name: 'code_execution', input: { code: program.code }, caller: direct }];
  if (!ended) return begun;
  const content: CodeExecutionResultBlock = {
    type: 'code_execution_result',
    stdout: ended.result,
    stderr: '',
    return_code: 0,
    content: [],
  };
  return [...begun, { type: 'code_execution_tool_result', tool_use_id: ended.id, content }];
}

function toSpoken(request: MessagesRequest, speech: Speech): ContentBlock[] {
  if (!('calls' in speech)) return [{ type: 'text', text: speech.content, citations: null }];
  const { program, calls } = speech;
  const refused = program && calls.find(({ name }) => !isForPrograms(request, name));
  if (refused) throw new RequestError(500, `The script broke: no program may call ${refused.name}`);
  return calls.map((call) => toToolUse(call, program ? { type: 'code_execution_20260120', tool_id: program.id } : { type: 'direct' }));
}

function toToolUse(call: SpokenCall, caller: ToolUseBlock['caller']): ContentBlock {
  const id = call.id ?? `toolu_01${randomText(22)}`;
  return { type: 'tool_use', id, name: call.name, input: toInput(call), caller };
}

/** Arguments are an object on this wire; for an empty text the real server sends an empty one. */
function toInput(call: SpokenCall): object {
  const text = argumentsText(call);
  const input = text === '' ? {} : (parseJson(text) ?? {});
  if (typeof input === 'object') return input;
  throw new RequestError(500, `The script broke: arguments are an object on this wire, and not ${text}`);
}

function usageOf({ messages, tools }: MessagesRequest, content: ContentBlock[]): Usage {
  return {
    input_tokens: countTokens(messages) + countTokens(tools),
    output_tokens: countTokens(content),
    output_tokens_details: null,
    cache_creation: null,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    inference_geo: null,
    server_tool_use: null,
    service_tier: 'standard',
    speed: null,
  };
}
