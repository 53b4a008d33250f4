/** A tool of LlamaIndex. */
import type { BaseToolWithCall } from '@llamaindex/core/llms';
import { SvcError } from 'svc-sdk';
import type { AgentTool, CallsOptions } from 'svc-sdk/agent-tool';
import { rawJson, withSingleQuotes } from './single-quotes';

export function toLlamaIndexTool(
  { name, description, parameters, answer }: AgentTool,
  { signal, onPayment }: CallsOptions = {},
): BaseToolWithCall {
  return {
    metadata: { name, description, parameters },
    async call(input: unknown) {
      const { value, error } = await answer(input, { signal, onPayment });
      const text = withSingleQuotes(value);
      // LlamaIndex hands a thrown error to the model, marked as one.
      if (error) throw new SvcError(error.code, text, error.details, { cause: error });
      return rawJson(text);
    },
  };
}
