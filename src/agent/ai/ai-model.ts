/**
 * Any model of the AI SDK as the model of an agent: one request is one step of `generateText` or `streamText`, whose tools have no `execute`.
 *
 * Errors: those of the AI SDK, which `toModelRequestError` reads; ModelRequestError for a stream that breaks off and for one that takes too long;
 *         SvcError without the package `ai`.
 */
import type { LanguageModel, ToolSet } from 'ai';
import type { ChatCompletionTool } from 'svc-sdk';
import type { AskModel, ModelRequest } from '../model/ask-model';
import { ModelRequestError } from '../model/model-request-error';
import { MODEL_TIMEOUT_MS, withTimeLimit } from '../model/time-limit';
import { type AiSdk, loadAi } from './load-ai';
import { toStoredAnswer } from './stored-answer';
import { streamAnswer } from './stream-answer';
import { toAiPrompt } from './to-ai-prompt';
import { type ModelObject, wrapModel } from './wrap-model';

/**
 * ```ts
 * new Agent({ model: aiModel(anthropic('claude-sonnet-4-5')) });
 * new Agent({ model: aiModel((id) => registry.languageModel(id)) }); // the ids of `setModel`
 * ```
 *
 * @param model a model; or a function that returns the model for an id of `setModel`
 */
export function aiModel(model: LanguageModel | ((id: string) => LanguageModel)): AskModel {
  return async (request) => {
    const ai = await loadAi();
    const chosen = resolveModel(ai, typeof model === 'function' ? model(readId(request)) : model);
    return await withTimeLimit(request.signal, MODEL_TIMEOUT_MS, async (abortSignal) => {
      const origin = originOf(chosen);
      const options = {
        model: wrapModel(chosen),
        ...toAiPrompt(request.messages, origin),
        ...(request.tools.length > 0 && { tools: toToolSet(ai, request.tools) }),
        // The agent retries.
        maxRetries: 0,
        abortSignal,
      };
      const answer = request.onText ? await streamAnswer(ai, options, request.onText) : await ai.generateText(options);
      return toStoredAnswer(answer, origin);
    });
  };
}

function readId({ model }: ModelRequest): string {
  if (model !== '') return model;
  // Status 400, so that the agent does not retry.
  throw new ModelRequestError("aiModel has a function and no model id: set SVC_MODEL, or call agent.setModel('default', id)", {
    status: 400,
  });
}

/** A text is a model id of the AI SDK's default provider. */
function resolveModel(ai: AiSdk, model: LanguageModel): ModelObject {
  if (typeof model !== 'string') return model;
  return (globalThis.AI_SDK_DEFAULT_PROVIDER ?? ai.gateway).languageModel(model);
}

/** The provider; for a gateway, with the provider behind the gateway, such as `gateway/anthropic`. */
function originOf({ provider, modelId }: ModelObject): string {
  const slash = modelId.indexOf('/');
  return slash < 0 ? provider : `${provider}/${modelId.slice(0, slash)}`;
}

function toToolSet(ai: AiSdk, tools: readonly ChatCompletionTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ function: { name, description, parameters } }) => [name, { description, inputSchema: ai.jsonSchema(parameters) }]),
  );
}
