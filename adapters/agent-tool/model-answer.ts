/** The model's answer for a failure, and for a result with media. */
import { type ModelMedia, SvcError, type ToolAnswer } from 'svc-sdk';

/** The answer that a model gets for a failure in the adapter itself. */
export function failedAnswer(error: SvcError): ToolAnswer {
  const value = { error: error.toJSON() };
  return { value, content: JSON.stringify(value), error };
}

/** Frameworks show a model the `message` of an error, or its `String()`. */
export function errorForModel(error: SvcError, { content } = failedAnswer(error)): SvcError {
  const forModel = new SvcError(error.code, content, error.details, { cause: error });
  return Object.assign(forModel, { toString: () => content, toJSON: () => error.toJSON() });
}

/**
 * Member of a result that holds its images and PDFs: some frameworks store a result as JSON and show it to the model when only that is left. A
 * result that is not an object becomes the member `result` beside it.
 */
const MEDIA = 'svc_media';

export function withMedia({ value, media }: ToolAnswer): unknown {
  if (!isObject(value)) return media ? { result: value, [MEDIA]: media } : value;
  const { [MEDIA]: foreign, ...own } = value;
  if (media) return { ...own, [MEDIA]: media };
  // A handler may use the same name, and nothing has checked its value.
  return foreign === undefined ? value : { result: own };
}

/** Splits an output of `call`, also after it was stored as JSON, into the JSON for the model and the media that it can look at. */
export function splitMedia(output: unknown): { value: unknown; media: readonly ModelMedia[] } {
  if (!isObject(output) || !Array.isArray(output[MEDIA])) return { value: output, media: [] };
  const { [MEDIA]: media, ...value } = output;
  return { value, media: media as ModelMedia[] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
