/** A request whose body is sent in two halves, on a separate socket. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

export interface HalfSent {
  /** Sends the rest. Resolves with the answer. */
  finish(): Promise<{ status: number; text: string; json: Record<string, unknown> }>;
}

export interface HalfSentRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

/** Resolves when the service has had time to read the first half. */
export async function sendHalf(url: string, { method, path, headers, body }: HalfSentRequest): Promise<HalfSent> {
  const { hostname, port, host } = new URL(url);
  const text = JSON.stringify(body);
  const middle = Math.floor(text.length / 2);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  // The service may reset the connection after its answer.
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  const lines = Object.entries({ host, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`${method} ${path} HTTP/1.1\r\n${head}\r\n${text.slice(0, middle)}`);
  await delay(100);
  return {
    async finish() {
      socket.write(text.slice(middle));
      await Promise.race([closed, vi.waitUntil(() => isComplete(received), { timeout: 30_000, interval: 10 })]);
      socket.destroy();
      const status = Number(received.slice(9, 12));
      const json = /\{.*\}/s.exec(received.slice(received.indexOf('\r\n\r\n')))?.[0];
      return { status, text: received, json: json === undefined ? {} : parsed(json) };
    },
  };
}

/** True if an answer is complete, on a connection that stays open. */
function isComplete(received: string): boolean {
  const border = received.indexOf('\r\n\r\n');
  if (border < 0) return false;
  const [headers, body] = [received.slice(0, border), received.slice(border + 4)];
  const length = /^content-length: (\d+)/im.exec(headers)?.[1];
  return length === undefined ? body.endsWith('\r\n0\r\n\r\n') : Buffer.byteLength(body) >= Number(length);
}

/** The JSON of an answer or of its only event. */
function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
