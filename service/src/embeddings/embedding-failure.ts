/**
 * A failed call of the embedding server. The kind decides the message for the operator and how the queue retries.
 *
 * Source: HTTP statuses as RFC 9110 and OpenAI-compatible servers use them.
 */
import { readRetryAfter } from '#sdk/protocol/retry-after';

interface FailureFacts {
  message: string;
  /** True when the texts may be the cause, so that other texts may succeed; false when every call would fail now. */
  ofTexts: boolean;
}

const FAILURES = {
  UNREACHABLE: { ofTexts: false, message: 'the embedding server cannot be reached: start it, or correct the URL' },
  TIMEOUT: { ofTexts: true, message: 'the embedding server did not answer in time: it is overloaded, or still loads its model' },
  LATE: {
    ofTexts: false,
    message: 'the embedding server answers too late for searches, which rank by words alone: give it more power, or raise deadlineMs',
  },
  KEY_REFUSED: { ofTexts: false, message: 'the embedding server refuses the key: set the right one and restart' },
  NOT_FOUND: {
    ofTexts: false,
    message:
      'the embedding server does not have this address or model: give its base URL, which mostly ends in /v1, and a model that it offers',
  },
  BUSY: { ofTexts: false, message: 'the embedding server is at its limit of calls: raise its limits if this lasts' },
  FAILING: { ofTexts: true, message: 'the embedding server fails: see its own log' },
  TEXTS_REFUSED: {
    ofTexts: true,
    message: 'the embedding server refuses texts: they may be too long for the model, or `dimensions` unknown to it',
  },
  NO_EMBEDDINGS: {
    ofTexts: false,
    message: 'the server is not an embedding server: give the base URL of an OpenAI-compatible API, which mostly ends in /v1',
  },
  WRONG_COUNT: {
    ofTexts: true,
    message: 'the embedding server returned another number of vectors than texts: look for a newer version of the server',
  },
  WRONG_SIZE: {
    ofTexts: false,
    message:
      'the embedding server returned vectors of another size than before or than requested: correct the model or `dimensions`, and restart',
  },
  NO_DIRECTION: {
    ofTexts: true,
    message: 'the embedding server returned vectors that hold no numbers, or only zeros: see its own log, or use another model',
  },
} as const satisfies Record<string, FailureFacts>;

export type FailureKind = keyof typeof FAILURES;

export interface FailureDetails {
  /** HTTP status. */
  status?: number;
  /** The server's error text, without secrets. May quote the embedded texts. */
  said?: string;
  /** The server's Retry-After, in milliseconds from now. */
  retryAfterMs?: number;
}

export class EmbeddingFailure extends Error {
  override readonly name = 'EmbeddingFailure';
  readonly kind: FailureKind;
  readonly details: FailureDetails;

  constructor(kind: FailureKind, details: FailureDetails = {}) {
    super(FAILURES[kind].message);
    this.kind = kind;
    this.details = details;
  }

  get ofTexts(): boolean {
    return FAILURES[this.kind].ofTexts;
  }
}

export function failureOfStatus(status: number, details: { said?: string; retryAfter?: string | null | undefined }): EmbeddingFailure {
  const retryAfterMs = readRetryAfter(details.retryAfter);
  return new EmbeddingFailure(kindOfStatus(status), {
    status,
    ...(details.said !== undefined && { said: details.said }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

function kindOfStatus(status: number): FailureKind {
  if (status === 401 || status === 403) return 'KEY_REFUSED';
  if (status === 429 || (status > 501 && status < 505)) return 'BUSY';
  if (status === 408) return 'TIMEOUT';
  if (status === 404 || status === 405 || status < 400) return 'NOT_FOUND';
  return status < 500 ? 'TEXTS_REFUSED' : 'FAILING';
}
