/**
 * Tools that the model sees only once a `tool_reference` in the conversation has loaded them.
 *
 * Errors: RequestError.
 * Source: https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool
 */
import { RequestError } from '../wire.ts';
import { blocksOf, type CustomTool, isCustom, type MessagesRequest } from './request.ts';

const MAX_DEFERRED = 10_000;

/** The callable tools at the end of the conversation. */
export function visibleTools({ messages, tools: all = [] }: MessagesRequest): CustomTool[] {
  const tools = all.filter(isCustom);
  refuseWrongTools(tools);
  const deferred = new Set(tools.filter((tool) => tool.defer_loading).map(({ name }) => name));
  for (const [index, message] of messages.entries()) {
    for (const block of blocksOf(message)) {
      if (block.type === 'tool_use' && deferred.has(block.name))
        throw new RequestError(400, `messages.${index}: ${block.name} is deferred, and was called before a tool_reference to it`);
      if (block.type !== 'tool_result' || typeof block.content === 'string') continue;
      for (const part of block.content) {
        if (part.type !== 'tool_reference') continue;
        if (!tools.some(({ name }) => name === part.tool_name))
          throw new RequestError(400, `messages.${index}: there is no tool ${part.tool_name} for the tool_reference`);
        deferred.delete(part.tool_name);
      }
    }
  }
  return tools.filter(({ name }) => !deferred.has(name));
}

function refuseWrongTools(tools: CustomTool[]): void {
  if (new Set(tools.map(({ name }) => name)).size < tools.length) throw new RequestError(400, 'tools: the names have to be unique');
  const deferred = tools.filter((tool) => tool.defer_loading).length;
  if (deferred > 0 && deferred === tools.length) throw new RequestError(400, 'tools: at least one has to be without defer_loading');
  if (deferred > MAX_DEFERRED) throw new RequestError(400, `tools: ${deferred} are deferred, at most ${MAX_DEFERRED} can be`);
}
