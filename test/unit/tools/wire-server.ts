/** A scripted service with the wire format, over real HTTP. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { SvcError, type SvcErrorCode, type SvcErrorDetails, Tools, type ToolsOptions } from '../../../src/index';

export interface ReceivedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** Parsed JSON; undefined without a body. */
  body: unknown;
}

export interface WireServer {
  baseUrl: string;
  requests: ReceivedRequest[];
  /** A client of this service. */
  tools(options?: ToolsOptions): Tools;
}

/** Answers the `count`-th request, counted from 1. */
export type Answer = (response: ServerResponse, request: ReceivedRequest, count: number) => unknown;

export const KEY = 'svc_agent_TestKey0123456789';

/** Ends with the test. */
export async function wireServer(answer: Answer): Promise<WireServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await receive(incoming);
    await answer(response, request, requests.push(request));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { baseUrl, requests, tools: (options) => new Tools({ apiKey: KEY, baseUrl, ...options }) };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body));
}

export function sendResult(response: ServerResponse, result: unknown, more: object = {}): void {
  sendJson(response, { invocationId: 'inv_1', result, ...more });
}

export function sendProblem(response: ServerResponse, code: SvcErrorCode, detail: string, details?: SvcErrorDetails): void {
  const problem = new SvcError(code, detail, details).toProblem();
  response.writeHead(problem.status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
}

export function sendPage(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<html>Bad gateway</html>');
}

export function toolCall(id: string, name: string, input: unknown) {
  return { id, type: 'function', function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) } };
}

async function receive(incoming: IncomingMessage): Promise<ReceivedRequest> {
  let text = '';
  for await (const chunk of incoming) text += chunk;
  const url = new URL(incoming.url ?? '', 'http://localhost');
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  return { method: incoming.method ?? '', path: url.pathname, query: url.searchParams, headers: incoming.headers, body };
}
