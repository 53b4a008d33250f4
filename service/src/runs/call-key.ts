/**
 * The idempotency key of a call that a program makes: `<run>/<digest>/<nth>`. It comes from the content of the call, and not from its place in the
 * program: parallel calls end in another order with each replay.
 */
import { hash } from 'node:crypto';
import { canonicalJson } from '../lib/canonical-json';
import type { ProgramCall } from '../sandbox/sandbox';

/** 132 bits. */
const DIGEST_CHARS = 22;

/** @throws SyntaxError when the payload is not JSON */
export function callKeyOf(runId: string, { kind, action, payloadJson, nth }: ProgramCall): string {
  const digest = hash('sha256', canonicalJson([kind, action, JSON.parse(payloadJson)]), 'base64url');
  return `${runId}/${digest.slice(0, DIGEST_CHARS)}/${nth}`;
}
