/**
 * Wraps a model to avoid two faults of the AI SDK.
 *
 * Shape:  the same model in the same version of the specification, without warnings and with a unique id for each call.
 * Reason: the AI SDK prints warnings, and only a global variable disables them, for the whole program. `generateText` confuses calls with
 *         equal ids: with a server that repeats ids, one call would run twice and the other never.
 */
import type { LanguageModel } from 'ai';

export type ModelObject = Exclude<LanguageModel, string>;
type NewestModel = Extract<ModelObject, { specificationVersion: 'v4' }>;
type Generated = Awaited<ReturnType<NewestModel['doGenerate']>>;
type StreamPart = Awaited<ReturnType<NewestModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

export function wrapModel(model: ModelObject): ModelObject {
  // The members used here are the same in all versions of the specification.
  const { specificationVersion, provider, modelId, supportedUrls, doGenerate, doStream } = model as NewestModel;
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    async doGenerate(options) {
      const answer = await doGenerate.call(model, options);
      return { ...answer, content: withDistinctIds(answer.content), warnings: [] };
    },
    async doStream(options) {
      const { stream, ...answer } = await doStream.call(model, options);
      return { ...answer, stream: stream.pipeThrough(new TransformStream({ transform: withoutWarnings })) };
    },
  };
}

function withDistinctIds(content: Generated['content']): Generated['content'] {
  const seen = new Set<string>();
  return content.map((part, index) => {
    if (part.type !== 'tool-call' || part.providerExecuted) return part;
    const toolCallId = seen.has(part.toolCallId) ? `${part.toolCallId}_${index}` : part.toolCallId;
    seen.add(toolCallId);
    return { ...part, toolCallId };
  });
}

function withoutWarnings(part: StreamPart, controller: TransformStreamDefaultController<StreamPart>): void {
  controller.enqueue(part.type === 'stream-start' ? { ...part, warnings: [] } : part);
}
