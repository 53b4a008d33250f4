/** The answers of a service, without the service: what is left of a call is what its caller does. */
import type { FetchLike } from 'svc-sdk';

const RESPONSE = { invocationId: 'inv_bench', result: { text: 'hello' } };
const ACTION = { action: 'bench__echo', description: 'Gives back its payload', payloadSchema: { type: 'object' } };
const JSON_HEADERS = { 'content-type': 'application/json' };

export const instantService: FetchLike = async (url, { headers }) => {
  if (url.endsWith('/v1/resolve')) return Response.json({ action: ACTION, payload: { text: 'hello' } });
  if (headers.accept !== 'text/event-stream') return new Response(JSON.stringify(RESPONSE), { headers: JSON_HEADERS });
  const events = `event: result\ndata: ${JSON.stringify(RESPONSE)}\n\n`;
  return new Response(events, { headers: { 'content-type': 'text/event-stream' } });
};
