/** What came of a call in words: what its code means, and what to do about it. The facts are those of docs/errors.md. */
import { ERRORS, type SvcErrorCode } from '../../../../src/protocol/errors';

export interface OutcomeWords {
  title: string;
  advice: string;
  /** Where one does it. */
  place?: 'action' | 'toolkit' | 'keys' | 'search';
}

const ADVICE: Partial<Record<SvcErrorCode, Pick<OutcomeWords, 'advice' | 'place'>>> = {
  ACTION_FAILED: {
    advice: 'The handler of the action ran and failed. Look at the toolkit and its log.',
    place: 'toolkit',
  },
  INVALID_PAYLOAD: {
    advice: 'The action did not run. When models get this wrong often, the description of the payload does not tell enough.',
    place: 'action',
  },
  INVOCATION_TIMEOUT: {
    advice:
      'The action may still have run; a late result is kept for a retry with the same idempotency key. See below where the time went.',
    place: 'toolkit',
  },
  INVOCATION_CANCELLED: { advice: 'Whoever called went away or gave up before there was a result. The handler was told.' },
  OUTCOME_UNKNOWN: {
    advice: 'The process that had the call went away before it ended: the action may or may not have run. Check before you call it again.',
    place: 'toolkit',
  },
  TOOLKIT_OFFLINE: { advice: 'The action did not run. Start a process of the toolkit, then call again.', place: 'toolkit' },
  QUEUE_FULL: {
    advice: 'The action did not run. More processes of the toolkit, or more at once in each, make the queue shorter.',
    place: 'toolkit',
  },
  RATE_LIMITED: {
    advice:
      'The action did not run. The key has used up its calls per minute, or has too many calls running. Raise the limit, or call less often.',
    place: 'keys',
  },
  KEY_REVOKED: { advice: 'The action did not run. A program still uses a revoked key: give it a new one.', place: 'keys' },
  KEY_EXPIRED: { advice: 'The action did not run. A program still uses an expired key: give it a new one.', place: 'keys' },
  ACTION_NOT_ALLOWED: { advice: 'The action did not run. It is outside the scope of the key.', place: 'keys' },
  ACTION_NOT_FOUND: { advice: 'No toolkit offers this action. It may have been renamed or removed.', place: 'search' },
  SERVICE_UNAVAILABLE: { advice: 'Nothing ran. The service could not reach its database or its bus; it is back by itself when these are.' },
  SERVICE_STOPPING: { advice: 'The service was being stopped. A retry with the same idempotency key gets the answer of the first call.' },
  INTERNAL: { advice: 'A fault of the service itself; its log tells more.' },
};

export function outcomeWords(code: 'OK' | SvcErrorCode | undefined): OutcomeWords {
  if (code === undefined) return { title: 'Running', advice: 'This page updates until the call ends.' };
  if (code === 'OK') return { title: 'Succeeded', advice: 'The caller got the result.' };
  const { title, retryable } = ERRORS[code];
  return {
    title,
    advice: retryable ? 'A retry may succeed.' : "Retrying won't help: change the payload or fix the toolkit.",
    ...ADVICE[code],
  };
}
