/** A receiver of the ledger's webhook over real HTTP. `standardwebhooks` verifies the requests. */
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { ChargedEntry } from 'svc-service';
import { listening } from '../../../test/support/listening';

export interface LedgerReceiver {
  readonly url: string;
  /** Every request with a good signature, also those that it refuses. */
  readonly requests: ChargedEntry[];
  /** Invocation ids in the order in which they were accepted, without repetitions. */
  readonly accepted: string[];
  /** Requests with a wrong signature. */
  readonly forged: number;
  secret: string;
  /** Answers in place of the receiver: return true when that happened. */
  behaviour: (entry: ChargedEntry, response: ServerResponse) => boolean;
}

export const LEDGER_SECRET = `whsec_${Buffer.from('thirty-two bytes of a test secret').toString('base64')}`;

export async function startLedgerReceiver(): Promise<LedgerReceiver> {
  const state = { requests: [] as ChargedEntry[], accepted: [] as string[], forged: 0, secret: LEDGER_SECRET, behaviour: () => false };
  const receiver: LedgerReceiver = Object.assign(state, { url: '' });
  const server = createServer(async (request, response) => {
    const body = await text(request);
    let entry: ChargedEntry;
    try {
      entry = new Webhook(receiver.secret).verify(body, request.headers as Record<string, string>) as ChargedEntry;
    } catch {
      state.forged++;
      return void response.writeHead(401).end();
    }
    receiver.requests.push(entry);
    if (receiver.behaviour(entry, response)) return;
    if (request.headers['idempotency-key'] !== entry.invocationId) return void response.writeHead(400).end();
    if (!receiver.accepted.includes(entry.invocationId)) receiver.accepted.push(entry.invocationId);
    response.writeHead(204).end();
  });
  return Object.assign(receiver, { url: `${await listening(server)}/ledger` });
}
