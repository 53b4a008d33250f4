/** The answer: one candidate, whole or streamed. Calls have an id only if the script sets one; many of the models set none. */
import { countTokens, MODEL, pieces, randomText, type Speech, type SpokenCall } from '../speech.ts';
import type { Part } from './content.ts';
import type { GenerateContentRequest } from './request.ts';

interface Candidate {
  content?: { role: 'model'; parts: Part[] };
  finishReason?: 'STOP' | 'MALFORMED_FUNCTION_CALL';
  finishMessage?: string;
  index: 0;
}

export interface GenerateContentResponse {
  candidates: [Candidate];
  usageMetadata: { promptTokenCount: number; candidatesTokenCount: number; totalTokenCount: number };
  modelVersion: string;
  responseId: string;
}

export function toContentResponse(request: GenerateContentRequest, speech: Speech): GenerateContentResponse {
  const promptTokenCount = countTokens(request.contents) + countTokens(request.tools);
  const candidatesTokenCount = countTokens(speech);
  return {
    candidates: [toCandidate(speech)],
    usageMetadata: { promptTokenCount, candidatesTokenCount, totalTokenCount: promptTokenCount + candidatesTokenCount },
    modelVersion: MODEL,
    responseId: randomText(22),
  };
}

/** The same response streamed: a text in several pieces, each call in one piece. */
export function* toContentChunks({ candidates: [candidate], ...shared }: GenerateContentResponse): Generator<GenerateContentResponse> {
  const { content, ...ending } = candidate;
  const parts = (content?.parts ?? []).flatMap((part): Part[] => ('text' in part ? pieces(part.text).map((text) => ({ text })) : [part]));
  for (const part of parts) yield { candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }], ...shared };
  yield { candidates: [{ ...(content && { content: { role: 'model', parts: [{ text: '' }] } }), ...ending }], ...shared };
}

function toCandidate(speech: Speech): Candidate {
  if ('content' in speech) return { content: { role: 'model', parts: [{ text: speech.content }] }, finishReason: 'STOP', index: 0 };
  const parts = speech.calls.map(toPart);
  // The model's plain text is never sent as a call.
  if (parts.includes(undefined)) return { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed function call', index: 0 };
  return { content: { role: 'model', parts: parts.filter((part) => part !== undefined) }, finishReason: 'STOP', index: 0 };
}

function toPart(call: SpokenCall, place: number): Part | undefined {
  const args = toArgs(call.arguments);
  if (args === null) return undefined;
  const functionCall = { ...(call.id !== undefined && { id: call.id }), name: call.name, ...(args && { args }) };
  return { functionCall, ...(place === 0 && { thoughtSignature: btoa(randomText(24)) }) };
}

/** Undefined for no arguments, null for a value that is not an object. */
function toArgs(written: SpokenCall['arguments']): Record<string, unknown> | undefined | null {
  if (typeof written !== 'string') return written;
  if (written === '' || written === 'null') return undefined;
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'object' ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
