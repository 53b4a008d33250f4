import { splitMedia } from 'svc-sdk/agent-tool';

/** The model's form of an output that may contain media. */
export function toMastraOutput(output: unknown) {
  const { value, media } = splitMedia(output);
  if (media.length === 0) return typeof value === 'string' ? { type: 'text', value } : { type: 'json', value };
  const parts = media.map(({ mediaType, data }) => ({ type: 'media', mediaType, data }));
  return { type: 'content', value: [{ type: 'text', text: JSON.stringify(value) }, ...parts] };
}
