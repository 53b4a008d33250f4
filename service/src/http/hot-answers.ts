/** Requests and answers of the routes that `node:http` serves without hono. */
import type { ServerResponse } from 'node:http';
import type { SvcError } from '#sdk/protocol/errors';
import { routeProblem } from './route-problem';

export function answerJson(response: ServerResponse, json: string, status: 200 | 202 = 200): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) });
  response.end(json);
}

export function answerProblem(response: ServerResponse, error: SvcError): void {
  const { status, headers, body } = routeProblem(error);
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** Value of a request header. `node:http` joins repeated headers into one text, except `set-cookie`. */
export function joinedHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
