/** The model's form of an output that may contain media, in the terms of AI SDK 5, 6 and 7. */

import type { Tool } from 'ai';
import * as ai from 'ai';
import type { ModelMedia } from 'svc-sdk';
import { splitMedia } from 'svc-sdk/agent-tool';

type ModelOutput = Awaited<ReturnType<NonNullable<Tool<unknown, unknown>['toModelOutput']>>>;

/** AI SDK 6 and 7 pass the call with its output, 5 passes the output alone. */
type Given = { toolCallId: string; input: unknown; output: unknown };

function isCall(given: Given): boolean {
  return typeof given?.toolCallId === 'string' && 'input' in given && 'output' in given;
}

/** JSON also for a text: a program may read it. Anthropic refuses images for programs. */
export function toAiJson(given: Given): ModelOutput {
  const { value } = splitMedia(isCall(given) ? given.output : given);
  return { type: 'json', value: value ?? null } as ModelOutput;
}

export function toAiOutput(given: Given): ModelOutput {
  const isOfCall = isCall(given);
  const { value, media } = splitMedia(isOfCall ? given.output : given);
  if (media.length === 0)
    return (typeof value === 'string' ? { type: 'text', value } : { type: 'json', value: value ?? null }) as ModelOutput;
  const toPart: (media: ModelMedia) => object = !isOfCall ? toMediaOf5 : 'isStepCount' in ai ? toFileOf7 : toDataOf6;
  return { type: 'content', value: [{ type: 'text', text: JSON.stringify(value) }, ...media.map(toPart)] } as ModelOutput;
}

const toMediaOf5 = ({ mediaType, data }: ModelMedia) => ({ type: 'media', mediaType, data });
const toDataOf6 = ({ mediaType, data, name }: ModelMedia) =>
  mediaType.startsWith('image/') ? { type: 'image-data', mediaType, data } : { type: 'file-data', mediaType, data, filename: name };
const toFileOf7 = ({ mediaType, data, name }: ModelMedia) => ({ type: 'file', mediaType, data: { type: 'data', data }, filename: name });
