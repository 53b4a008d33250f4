import type { Logger } from '../../lib/logger';
import { toSvcError } from '../../lib/problem';

/** A file whose texts are made while it is sent. An error breaks the connection, so that a client does not accept an incomplete file. */
export function fileStream(texts: AsyncGenerator<string>, logger: Logger, route: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await texts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        controller.error(toSvcError(error, logger, route));
      }
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}
