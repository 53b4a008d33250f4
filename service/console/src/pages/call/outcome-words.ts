/** The outcome of a call in words: the meaning of its code, and the next step, as in docs/errors.md. */
import { ERRORS, type SvcErrorCode } from '#sdk/protocol/errors';

export interface OutcomeWords {
  title: string;
  advice: string /** The page for the next step. */;
  place?: 'action' | 'approvals' | 'toolkit' | 'keys' | 'search';
}

const ADVICE: Partial<Record<SvcErrorCode, Pick<OutcomeWords, 'advice' | 'place'>>> = {
  ACTION_FAILED: {
    advice: 'The handler of the action ran and failed. Look at the toolkit and its log.',
    place: 'toolkit',
  },
  INVALID_PAYLOAD: {
    advice: 'The action did not run. If models often send a wrong payload, improve its description.',
    place: 'action',
  },
  INVOCATION_TIMEOUT: {
    advice:
      'The action may still have run. A retry with the same idempotency key gets a late result. The timeline below shows where the time went.',
    place: 'toolkit',
  },
  INVOCATION_CANCELLED: {
    advice: 'The caller, or a person in the console, cancelled before the result was ready. The handler got a cancel signal.',
  },
  OUTCOME_UNKNOWN: {
    advice:
      'The process that ran the call was lost before the call ended. The action may or may not have run: check before you call it again.',
    place: 'toolkit',
  },
  TOOLKIT_OFFLINE: { advice: 'The action did not run. Start a process of the toolkit, then call again.', place: 'toolkit' },
  QUEUE_FULL: {
    advice: 'The action did not run. Start more processes of the toolkit, or raise their concurrency.',
    place: 'toolkit',
  },
  RATE_LIMITED: {
    advice:
      'The action did not run. The key reached its limit of calls per minute, or has too many calls running. Raise the limit, or call less often.',
    place: 'keys',
  },
  KEY_REVOKED: { advice: 'The action did not run. A program still uses a revoked key: give it a new one.', place: 'keys' },
  KEY_EXPIRED: { advice: 'The action did not run. A program still uses an expired key: give it a new one.', place: 'keys' },
  PAYMENT_REQUIRED: {
    advice: 'The action did not run. Its price is above what the caller allowed, or above what the budget of the key has left.',
    place: 'keys',
  },
  APPROVAL_REQUIRED: {
    advice: 'The action did not run. A rule asks a person about this call: it runs when a person approves it.',
    place: 'approvals',
  },
  APPROVAL_DENIED: {
    advice: 'The action did not run. A person denied it, its time was over, or something changed since the question.',
    place: 'approvals',
  },
  ACTION_NOT_ALLOWED: { advice: 'The action did not run. It is outside the scope of the key, or a rule denies it.', place: 'keys' },
  CALL_DIRECTLY: {
    advice: "The action did not run. A program of the model's provider made the call: the model has to make it itself.",
    place: 'action',
  },
  ACTION_CHANGED: {
    advice: 'The action did not run. It was registered otherwise after the caller had decided about it; the caller decides again.',
    place: 'action',
  },
  ACTION_NOT_FOUND: { advice: 'No toolkit offers this action. It may have been renamed or removed.', place: 'search' },
  SERVICE_UNAVAILABLE: {
    advice: 'The action did not run. The service could not reach its database or its bus, and recovers when they do.',
  },
  SERVICE_STOPPING: { advice: 'The service was stopping. A retry with the same idempotency key gets the answer of the first call.' },
  INTERNAL: { advice: 'The service itself failed. Its log has the details.' },
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
