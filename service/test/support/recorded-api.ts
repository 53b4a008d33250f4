/** An HTTP API on a free port that records its requests; closed when the test ends. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../../../test/support/listening';

export interface RecordedRequest {
  method: string;
  /** Path and query, as they were sent. */
  url: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export interface RecordedApi {
  url: string;
  requests: RecordedRequest[];
}

/** @param answer default: 200 with `{"ok": true}` */
export async function recordedApi(answer: (request: RecordedRequest, response: ServerResponse) => void = answerOk): Promise<RecordedApi> {
  const requests: RecordedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: Buffer.concat(parts) };
    requests.push(request);
    answer(request, response);
  });
  return { url: await listening(server), requests };
}

function answerOk(_request: RecordedRequest, response: ServerResponse): void {
  response.setHeader('content-type', 'application/json').end('{"ok":true}');
}
