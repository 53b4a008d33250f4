/**
 * Programs that the API runs: their calls, and the container in which they wait for results.
 *
 * Errors: RequestError.
 * Source: https://platform.claude.com/docs/en/agents-and-tools/tool-use/programmatic-tool-calling
 */
import { isObject } from '../../../src/protocol/json-object.ts';
import { RequestError } from '../wire.ts';
import { blocksOf, type CustomTool, isCustom, type MessagesRequest } from './request.ts';

export const CONTAINER = 'container_scripted';

/** As the real server, for the answers to the calls of a program that waits. */
export function refuseLostProgram({ messages, tools = [], container }: MessagesRequest): void {
  for (const tool of tools.filter(isCustom)) refuseCircle(tool);
  const waiting = new Set(
    blocksOf(messages.at(-2) ?? { role: 'user', content: 'x' }).flatMap((block) =>
      block.type === 'tool_use' && block.caller && block.caller.type !== 'direct' ? [block.id] : [],
    ),
  );
  if (waiting.size === 0) return;
  if (!container) throw new RequestError(400, 'container: a container id is required while a program waits for the results of its calls');
  for (const block of blocksOf(messages.at(-1) ?? { role: 'user', content: 'x' })) {
    if (block.type !== 'tool_result') throw new RequestError(400, 'The message that answers a program has tool_result blocks only');
    if (!waiting.has(block.tool_use_id) || typeof block.content === 'string') continue;
    if (block.content.some(({ type }) => type !== 'text')) throw new RequestError(400, 'The result for a program has texts only');
  }
}

export function isForPrograms({ tools = [] }: MessagesRequest, name: string): boolean {
  const offered = tools.filter(isCustom).find((tool) => tool.name === name);
  return tools.some((tool) => !isCustom(tool)) && offered?.allowed_callers?.some((caller) => caller !== 'direct') === true;
}

/** Sees definitions that refer to themselves directly, which is what tests send. */
function refuseCircle({ name, input_schema, allowed_callers = [] }: CustomTool): void {
  const definitions = isObject(input_schema.$defs) ? input_schema.$defs : {};
  const isCircle = Object.entries(definitions).some(([key, value]) => JSON.stringify(value).includes(`"#/$defs/${key}"`));
  if (isCircle && allowed_callers.some((caller) => caller !== 'direct'))
    throw new RequestError(400, `tools: ${name}: Circular $ref detected`);
}
