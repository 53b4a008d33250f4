import type { ToolOutputFileContent, ToolOutputImage, ToolOutputText } from '@openai/agents';
import type { ModelMedia } from 'svc-sdk';

/** A model behind chat completions reads only the text. */
export type SvcToolOutput = string | (ToolOutputText | ToolOutputImage | ToolOutputFileContent)[];

export function toContent({ mediaType, data, name }: ModelMedia): ToolOutputImage | ToolOutputFileContent {
  if (mediaType.startsWith('image/')) return { type: 'image', image: { data, mediaType } };
  return { type: 'file', file: { data, mediaType, filename: name } };
}
