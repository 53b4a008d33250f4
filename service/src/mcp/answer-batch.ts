/**
 * A batch: several JSON-RPC messages as an array, which only revision 2025-03-26 of MCP has. Each message is served separately, so it
 * counts against the limits of its key and can be cancelled alone. A client that disconnects cancels all of them.
 *
 * Shape: the answers as server-sent events, each as soon as it is there.
 */

/** A request without a revision has this one: later revisions require the header. */
const REVISION = '2025-03-26';
const MAX_MESSAGES = 50;
const INVALID_REQUEST = -32_600;

/** @param answer serves one message with a copy of the request, which is aborted when the client disconnects */
export async function answerBatch(
  messages: readonly unknown[],
  request: Request,
  answer: (message: unknown, request: Request) => Promise<Response>,
): Promise<Response> {
  const problem = problemOf(messages, request.headers.get('mcp-protocol-version') ?? REVISION);
  if (problem) return Response.json({ jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message: problem } }, { status: 400 });
  const { method, url, headers } = request;
  const gone = new AbortController();
  const signal = AbortSignal.any([request.signal, gone.signal]);
  const answers = messages.map((message) => answer(message, new Request(url, { method, headers, signal })));
  const responses = await Promise.all(answers).catch((error: unknown) => {
    gone.abort();
    throw error;
  });
  if (responses.every(({ status }) => status === 202)) return new Response(null, { status: 202 });
  const events = new ReadableStream<Uint8Array>({
    async start(controller) {
      const pass = async (response: Response) => {
        for await (const event of eventsOf(response)) if (!signal.aborted) controller.enqueue(event);
      };
      await Promise.all(responses.map(pass));
      if (!signal.aborted) controller.close();
    },
    cancel: (reason) => gone.abort(reason),
  });
  return new Response(events, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } });
}

function problemOf(messages: readonly unknown[], revision: string): string | undefined {
  if (revision !== REVISION) return `Revision ${revision.slice(0, 20)} has no batches: send each message in a separate request`;
  if (messages.length < 1 || messages.length > MAX_MESSAGES)
    return `A batch has 1 to ${MAX_MESSAGES} messages, not ${messages.length}: send several batches`;
  if (messages.some(Array.isArray)) return 'A batch must not contain another batch: send it alone';
  if (messages.some(isInitialize)) return 'A batch must not contain "initialize": send it alone and first';
  return undefined;
}

function isInitialize(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize';
}

/** The events of an answer: one for JSON, none for an accepted notification. */
async function* eventsOf(response: Response): AsyncGenerator<Uint8Array> {
  if (response.headers.get('content-type')?.includes('text/event-stream')) {
    yield* response.body ?? [];
    return;
  }
  const json = await response.text();
  if (json !== '') yield new TextEncoder().encode(`event: message\ndata: ${json}\n\n`);
}
