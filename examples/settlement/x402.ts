/**
 * Pays every charged call in USDC, by x402 version 2: the customer's wallet signs a transfer of exactly the charge, and a facilitator settles it.
 *
 *   FACILITATOR_URL=https://… WALLET_RPC_URL=http://… PAY_TO=0x… CUSTOMERS=customers.json node examples/settlement/x402.ts
 *
 * The payment is made of the entry alone, so a retry sends the same one: its nonce is the hash of the invocation id, and the token's contract
 * accepts a nonce once. A facilitator with the extension `payment-identifier` repeats its first answer; others say that the nonce was used.
 * Source: https://github.com/x402-foundation/x402/blob/main/specs/x402-specification-v2.md, sections 5.2, 6.1 and 7.2; EIP-3009, EIP-712
 */
import { createHash } from 'node:crypto';
import type { ChargedEntry, Settle } from 'svc-service';
import { customerOf } from './customers.ts';
import { serveSettled, variable } from './serve-settled.ts';
import { toUnits } from './units.ts';

export interface X402Payments {
  facilitatorUrl: string;
  /** JSON-RPC of the signer that holds the customers' keys. */
  walletRpcUrl: string;
  /** The address that gets the money. */
  payTo: string;
  /** Finds the address, `0x…`, that pays for an agent key. */
  payerOf(agentKeyId: string): Promise<string>;
}

/** USDC on Base Sepolia, a test network. */
const CHAIN_ID = 84_532;
const TOKEN = { asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', decimals: 6, extra: { name: 'USDC', version: '2' } };
/** An entry that waits for longer needs a person: its authorization is not valid any more. */
const VALID_SECONDS = 30 * 24 * 60 * 60;
const TIMEOUT_MS = 60_000;
const NONCE_USED = 'invalid_exact_evm_nonce_already_used';

const TRANSFER = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
];
const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];
const IDENTIFIER_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { required: { type: 'boolean' }, id: { type: 'string', minLength: 16, maxLength: 128 } },
  required: ['required'],
};

export function x402Payments({ facilitatorUrl, walletRpcUrl, payTo, payerOf }: X402Payments): Settle {
  return async (entry) => {
    if (entry.currency !== 'USD') throw new Error(`${entry.currency} is not paid in USDC: run the service with --currency USD`);
    const paymentRequirements = {
      scheme: 'exact',
      network: `eip155:${CHAIN_ID}`,
      amount: String(toUnits(entry.charged, TOKEN.decimals)),
      asset: TOKEN.asset,
      payTo,
      maxTimeoutSeconds: VALID_SECONDS,
      extra: TOKEN.extra,
    };
    const authorization = authorizationOf(entry, { from: await payerOf(entry.agentKeyId), to: payTo, value: paymentRequirements.amount });
    const paymentPayload = {
      x402Version: 2,
      accepted: paymentRequirements,
      payload: { signature: await sign(walletRpcUrl, authorization), authorization },
      extensions: { 'payment-identifier': { info: { required: false, id: entry.invocationId }, schema: IDENTIFIER_SCHEMA } },
    };
    const answer = await post(`${facilitatorUrl}/settle`, { x402Version: 2, paymentPayload, paymentRequirements });
    if (answer.success === true || answer.errorReason === NONCE_USED) return;
    // A rejection: the service sends the entry again, and this makes the same payment of it.
    throw new Error(`The facilitator did not settle ${entry.invocationId}: ${answer.errorReason ?? JSON.stringify(answer)}`);
  };
}

interface Authorization {
  from: string;
  to: string;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: string;
}

function authorizationOf({ invocationId, bookedAt }: ChargedEntry, transfer: Pick<Authorization, 'from' | 'to' | 'value'>): Authorization {
  return {
    ...transfer,
    validAfter: '0',
    validBefore: String(Math.floor(Date.parse(bookedAt) / 1_000) + VALID_SECONDS),
    nonce: `0x${createHash('sha256').update(invocationId).digest('hex')}`,
  };
}

async function sign(walletRpcUrl: string, authorization: Authorization): Promise<string> {
  const typedData = {
    types: { EIP712Domain: DOMAIN, TransferWithAuthorization: TRANSFER },
    primaryType: 'TransferWithAuthorization',
    domain: { ...TOKEN.extra, chainId: CHAIN_ID, verifyingContract: TOKEN.asset },
    message: authorization,
  };
  const params = [authorization.from, JSON.stringify(typedData)];
  const { result, error } = await post(walletRpcUrl, { jsonrpc: '2.0', id: 1, method: 'eth_signTypedData_v4', params });
  if (typeof result !== 'string') throw new Error(`The wallet did not sign: ${JSON.stringify(error)}`);
  return result;
}

async function post(url: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // A facilitator answers a failed settlement with JSON too, whatever its status.
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${url} answered ${response.status}`);
  }
}

if (import.meta.main) {
  const customers = variable('CUSTOMERS');
  await serveSettled(
    x402Payments({
      facilitatorUrl: variable('FACILITATOR_URL'),
      walletRpcUrl: variable('WALLET_RPC_URL'),
      payTo: variable('PAY_TO'),
      payerOf: (agentKeyId) => customerOf(agentKeyId, customers),
    }),
  );
}
