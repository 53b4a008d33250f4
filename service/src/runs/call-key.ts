/**
 * The idempotency key of a call that a program makes: `<run>/<digest>/<nth>`. It comes from the content of the call, and not from its place in the
 * program: parallel calls end in another order with each replay.
 */
import type { ProgramCall } from '../sandbox/sandbox';

/** 132 bits. */
const DIGEST_CHARS = 22;

export function callKeyOf(runId: string, { digest, nth }: Pick<ProgramCall, 'digest' | 'nth'>): string {
  return `${runId}/${digest.slice(0, DIGEST_CHARS)}/${nth}`;
}
