/** A tool of a server as an action: one `tools/call`. */
import { isObject } from '#sdk/protocol/json-object';
import type { LeftOutPart } from '../imported-action';
import type { ListedTool } from './listed-tool';
import { sendForCall } from './send-for-call';
import { type ServerAction, serverAction } from './server-action';
import { metaOfResult } from './tool-meta';
import { readToolResult } from './tool-result';
import { toActionText } from './tool-text';

/**
 * Throws for a schema that cannot be made smaller.
 *
 * @param onLeftOut called with each part that is left out
 */
export function toolAction(tool: ListedTool, onLeftOut: (part: LeftOutPart) => void): ServerAction {
  const { name, inputSchema } = tool;
  // The client would refuse results that differ from the output schema, after the tool has run.
  const toolDefinition = { name, inputSchema: { ...inputSchema, type: 'object' as const } };
  return serverAction(name, name, toActionText(tool, onLeftOut), async (client, ctx, payload) => {
    const params = { name, arguments: isObject(payload) ? payload : {} };
    const answer = await sendForCall(ctx, (options) => client.callTool(params, { ...options, toolDefinition }));
    return ctx.result(readToolResult(ctx, answer), { meta: metaOfResult(answer) });
  });
}
