/**
 * Why there are no vectors: a kind that is logged, with what to do about it, and what the background work decides on.
 *
 * Source: HTTP statuses as RFC 9110 and OpenAI-compatible servers use them.
 */
import { readRetryAfter } from '../../protocol/retry-after';

interface FailureFacts {
  message: string;
  /** True when the texts may be the cause, so that other texts may fare better; false when every call would fail now. */
  ofTexts: boolean;
}

const FAILURES = {
  UNREACHABLE: { ofTexts: false, message: 'the embedding server cannot be reached: start it, or correct the URL' },
  TIMEOUT: { ofTexts: true, message: 'the embedding server did not answer in time: it is overloaded, or still loads its model' },
  LATE: {
    ofTexts: false,
    message: 'the embedding server answers too late for searches, which go on by words alone: give it more power, or raise deadlineMs',
  },
  KEY_REFUSED: { ofTexts: false, message: 'the embedding server refuses the key: set the right one and restart' },
  NOT_FOUND: {
    ofTexts: false,
    message: 'the embedding server has no such address or model: the URL is its base, mostly ending in /v1, and it must offer the model',
  },
  BUSY: { ofTexts: false, message: 'the embedding server takes no more calls for now: raise its limits if this lasts' },
  FAILING: { ofTexts: true, message: 'the embedding server fails: see its own log' },
  TEXTS_REFUSED: {
    ofTexts: true,
    message: 'the embedding server refuses texts: they may be too long for the model, or `dimensions` unknown to it',
  },
  NO_EMBEDDINGS: {
    ofTexts: false,
    message: 'the server is not an embedding server: the URL is the base of an OpenAI-compatible API, mostly ending in /v1',
  },
  WRONG_COUNT: { ofTexts: true, message: 'the embedding server gave another number of vectors than texts: look for a newer version of it' },
  WRONG_SIZE: {
    ofTexts: false,
    message:
      'the embedding server gave vectors of another size than before or than asked for: name its model or `dimensions` anew, and restart',
  },
  NO_DIRECTION: {
    ofTexts: true,
    message: 'the embedding server gave vectors that hold no numbers, or only zeros: see its own log, or use another model',
  },
} as const satisfies Record<string, FailureFacts>;

export type FailureKind = keyof typeof FAILURES;

export interface FailureDetails {
  /** HTTP status. */
  status?: number;
  /** The answer of the other side, without secrets. It may quote texts. */
  said?: string;
  /** When the server wants to be asked again, in milliseconds from now. */
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
