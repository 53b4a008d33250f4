/** An authorization code: its hash in the store, with what the token endpoint compares. */
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { sha256Hex } from '../lib/sha256-hex';
import type { CodeRecord } from '../store/oauth-store';

const LIFE_MS = 60_000;

const codeRequest = z.object({
  clientHash: z.string(),
  client: z.object({ name: z.string(), host: z.string(), document: z.string().optional() }),
  redirectUri: z.string().optional(),
  challenge: z.string(),
  scope: z.string(),
  keyId: z.string(),
  personId: z.string(),
});
export type CodeRequest = z.output<typeof codeRequest>;

export function makeCode(request: CodeRequest): { code: string; record: CodeRecord } {
  const code = `svc_code_${randomBytes(32).toString('base64url')}`;
  return { code, record: { hash: sha256Hex(code), request: JSON.stringify(request), expiresAt: Date.now() + LIFE_MS } };
}

export function readCodeRequest({ request }: Pick<CodeRecord, 'request'>): CodeRequest {
  return codeRequest.parse(JSON.parse(request));
}
