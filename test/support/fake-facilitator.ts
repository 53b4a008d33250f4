/**
 * A facilitator of x402 version 2 with the scheme `exact` on EVM, the ledger of its token, and a wallet that signs by JSON-RPC; over real HTTP.
 *
 * Source: x402-specification-v2.md, sections 5.3 and 7.2; the error codes of the reference implementation (mechanisms/evm/src/exact); the extension
 *         payment-identifier. A signature is a MAC here: the wallet and the facilitator share its key.
 */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { listening } from './listening';

interface Transfer {
  from: string;
  to: string;
  value: string;
  nonce: string;
}

export interface FakeFacilitator {
  settleUrl: string;
  rpcUrl: string;
  /** The transfers of the token. */
  transfers: Transfer[];
  /** The payment identifier of every request to settle. */
  requests: string[];
  /** The payload of every request to settle, as text. */
  payloads: string[];
  /** The fate of the next settlements: an error, or an answer that is lost after the transfer. */
  faults: ('500' | 'unexpected' | 'lost')[];
}

interface SettleRequest {
  x402Version: number;
  paymentPayload: {
    x402Version: number;
    accepted: Requirements;
    payload: { signature: string; authorization: Transfer & { validAfter: string; validBefore: string } };
    extensions: { 'payment-identifier'?: { info: { id: string } } };
  };
  paymentRequirements: Requirements;
}

interface Requirements {
  scheme: string;
  network: string;
  amount: string;
  asset: string;
  payTo: string;
  extra: { name: string; version: string };
}

/** @param options.remembers true if it supports the extension payment-identifier and repeats its first answer */
export async function startFakeFacilitator({ remembers }: { remembers: boolean }): Promise<FakeFacilitator> {
  const facilitator: FakeFacilitator = { settleUrl: '', rpcUrl: '', transfers: [], requests: [], payloads: [], faults: [] };
  const answers = new Map<string, { payload: string; answer: object }>();

  const settle = ({ x402Version, paymentPayload, paymentRequirements }: SettleRequest): { status: number; answer: object } => {
    const { accepted, payload, extensions } = paymentPayload;
    const { authorization, signature } = payload;
    const id = extensions['payment-identifier']?.info.id ?? '';
    const text = JSON.stringify(paymentPayload);
    facilitator.requests.push(id);
    facilitator.payloads.push(text);
    const known = remembers ? answers.get(id) : undefined;
    if (known)
      return known.payload === text ? { status: 200, answer: known.answer } : { status: 409, answer: { error: 'identifier reused' } };
    const { network } = accepted;
    const failure = (errorReason: string) => ({
      status: 200,
      answer: { success: false, errorReason, transaction: '', network, payer: authorization.from },
    });
    if (x402Version !== 2 || paymentPayload.x402Version !== 2) return failure('invalid_x402_version');
    if (accepted.scheme !== 'exact') return failure('unsupported_scheme');
    if (!isDeepStrictEqual(accepted, paymentRequirements)) return failure('invalid_payment_requirements');
    if (!/^[\w-]{16,128}$/.test(id)) return { status: 400, answer: { error: 'identifier' } };
    if (signature !== sign(authorization.from, typedData(accepted, authorization))) return failure('invalid_exact_evm_signature');
    if (authorization.to !== accepted.payTo) return failure('invalid_exact_evm_recipient_mismatch');
    if (authorization.value !== accepted.amount) return failure('invalid_exact_evm_authorization_value');
    if (!(Number(authorization.validBefore) > Date.now() / 1_000 + 6))
      return failure('invalid_exact_evm_payload_authorization_valid_before');
    if (facilitator.transfers.some(({ nonce }) => nonce === authorization.nonce)) return failure('invalid_exact_evm_nonce_already_used');
    const { from, to, value, nonce } = authorization;
    facilitator.transfers.push({ from, to, value, nonce });
    const answer = { success: true, transaction: `0x${'ab'.repeat(32)}`, network, payer: from };
    answers.set(id, { payload: text, answer });
    return { status: 200, answer };
  };

  const server = createServer(async (request, response) => {
    const body = (await json(request)) as SettleRequest & { id: number; method: string; params: [string, string] };
    const send = (status: number, answer: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    if (request.url === '/rpc' && body.method === 'eth_signTypedData_v4')
      return send(200, { jsonrpc: '2.0', id: body.id, result: sign(body.params[0], JSON.parse(body.params[1])) });
    if (request.url !== '/x402/settle') return send(404, {});
    const fault = facilitator.faults.shift();
    if (fault === '500') return void response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Internal Server Error</h1>');
    if (fault === 'unexpected')
      return send(200, { success: false, errorReason: 'unexpected_settle_error', transaction: '', network: 'eip155:84532' });
    const { status, answer } = settle(body);
    if (fault === 'lost') return void response.destroy();
    send(status, answer);
  });
  const url = await listening(server);
  return Object.assign(facilitator, { settleUrl: `${url}/x402`, rpcUrl: `${url}/rpc` });
}

/** EIP-712 with the types of EIP-3009. */
function typedData({ network, asset, extra }: Requirements, message: object): object {
  return {
    primaryType: 'TransferWithAuthorization',
    domain: { ...extra, chainId: Number(network.replace('eip155:', '')), verifyingContract: asset },
    message,
  };
}

function sign(address: string, { primaryType, domain, message }: { primaryType?: string; domain?: object; message?: object }): string {
  const signed = JSON.stringify([address, primaryType, Object.entries(domain ?? {}).sort(), Object.entries(message ?? {}).sort()]);
  return `0x${createHmac('sha512', 'wallet').update(signed).digest('hex')}1b`;
}
