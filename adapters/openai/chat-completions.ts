/** Chat completions: a loop of your own, or `runTools`. */
import type { CallToolsOptions, ChatCompletionTool, ChatCompletionToolCall, ChatCompletionToolMessage } from 'svc-sdk';
import type { AgentTool, ToolsLike } from 'svc-sdk/agent-tool';
import { wholeTools } from './whole-tools';
import { withMethods } from './with-methods';

/** Tools for `create({ tools })` as they are, and for `runTools({ tools })`, which calls them itself. */
export interface SvcTools extends Array<RunnableFunctionTool> {
  /**
   * Answers `message.tool_calls` in a loop of your own: one message for each call, in order. A failure is an answer too.
   *
   * @throws the reason of `signal`, once it is aborted
   */
  callTools(
    toolCalls: readonly ChatCompletionToolCall[] | null | undefined,
    options?: CallToolsOptions,
  ): Promise<ChatCompletionToolMessage[]>;
}

export interface RunnableFunctionTool extends ChatCompletionTool {
  function: ChatCompletionTool['function'] & { function(input: string, runner: Runner): Promise<string> };
}

/** The part of `runTools`' runner that a tool uses. */
export interface Runner {
  readonly controller: { readonly signal: AbortSignal };
  readonly messages: readonly { readonly role: string; readonly tool_calls?: readonly ChatCompletionToolCall[] }[];
}

export function toSvcTools(tools: AgentTool[], client: ToolsLike): SvcTools {
  const whole = wholeTools(client);
  return withMethods(tools.map(toRunnable), { callTools: (toolCalls, options) => whole.callTools(toolCalls, options) });
}

function toRunnable({ name, description, parameters, answer }: AgentTool): RunnableFunctionTool {
  const run: RunnableFunctionTool['function']['function'] = async (input, runner) => {
    // A throw would end the run, so the model reads a failure as a result.
    const { content } = await answer(input, { signal: runner.controller.signal, toolCallId: toolCallIdOf(runner, name, input) });
    return content;
  };
  return { type: 'function', function: { name, description, parameters, function: run } };
}

/** `runTools` does not pass the id of a call. It is known when no other call of the message has the same name and arguments. */
function toolCallIdOf({ messages }: Runner, name: string, input: string): string | undefined {
  const toolCalls = messages.findLast((message) => message.tool_calls)?.tool_calls ?? [];
  const same = toolCalls.filter(({ function: called }) => called?.name === name && called.arguments === input);
  const [id, ...others] = new Set(same.map((toolCall) => toolCall.id));
  return others.length === 0 ? id : undefined;
}
