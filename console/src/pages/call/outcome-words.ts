/** What came of a call in words: what its code means, and what to do about it. The facts are those of docs/errors.md. */
import { ERRORS, type SvcErrorCode } from '../../../../src/protocol/errors';

export interface OutcomeWords {
  title: string;
  advice: string;
  /** Where one does it. */
  place?: 'action' | 'toolkit' | 'keys';
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
    advice: 'The action did not run. The key has a limit of calls per minute, or too many under way: raise it, or call less.',
    place: 'keys',
  },
  ACTION_NOT_ALLOWED: { advice: 'The action did not run. The key has a list of what it may use, and this is not on it.', place: 'keys' },
  ACTION_NOT_FOUND: { advice: 'No toolkit has registered this action. A search finds what there is now.' },
  SERVICE_UNAVAILABLE: { advice: 'Nothing ran. The service could not reach its database or its bus; it is back by itself when these are.' },
  SERVICE_STOPPING: { advice: 'The service was being stopped. A retry with the same idempotency key gets the answer of the first call.' },
  INTERNAL: { advice: 'A fault of the service itself; its log tells more.' },
};

export function outcomeWords(code: 'OK' | SvcErrorCode | undefined): OutcomeWords {
  if (code === undefined) return { title: 'It is running', advice: 'This page follows it until it ends.' };
  if (code === 'OK') return { title: 'It succeeded', advice: 'The caller got the result.' };
  const { title, retryable } = ERRORS[code];
  return { title, advice: retryable ? 'The same call may succeed later.' : 'The same call would fail again.', ...ADVICE[code] };
}
