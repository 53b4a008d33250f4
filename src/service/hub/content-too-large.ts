/** A text can be cut, an image cannot: a result with content that is above the limit is a failure, which says what to do. */
import type { FrameError } from '../../protocol/frames';
import type { ResultText } from './attempt';
import { handlerFailure } from './parse-frame';

/** Undefined for a result without content, and for one that fits. */
export function contentTooLarge({ resultJson, contentJson }: ResultText, maxBytes: number): FrameError | undefined {
  if (contentJson === undefined) return undefined;
  const bytes = Buffer.byteLength(resultJson) + Buffer.byteLength(contentJson);
  if (bytes <= maxBytes) return undefined;
  const message =
    `The result has ${bytes} bytes with its images and files, and ${maxBytes} are the limit (resultBytes). The action has run. ` +
    'Ask for a smaller image or a part; its developer can send less, or a link (ctx.link) to where all of it is';
  return handlerFailure('RESULT_TOO_LARGE', message);
}
