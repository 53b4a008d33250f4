/** The filter for outcomes: groups first, then each code that a recorded call can have. */
import type { SvcErrorCode } from '#sdk/protocol/errors';

const CODES: readonly SvcErrorCode[] = [
  'ACTION_CHANGED',
  'ACTION_FAILED',
  'ACTION_NOT_ALLOWED',
  'ACTION_NOT_FOUND',
  'APPROVAL_DENIED',
  'APPROVAL_REQUIRED',
  'CALL_DIRECTLY',
  'INTERNAL',
  'INVALID_PAYLOAD',
  'INVALID_REQUEST',
  'INVOCATION_CANCELLED',
  'INVOCATION_TIMEOUT',
  'KEY_EXPIRED',
  'KEY_REVOKED',
  'OUTCOME_UNKNOWN',
  'QUEUE_FULL',
  'RATE_LIMITED',
  'SERVICE_STOPPING',
  'SERVICE_UNAVAILABLE',
  'TOOLKIT_OFFLINE',
];

export const OUTCOMES = [
  { value: 'ok', label: 'Succeeded' },
  { value: 'error', label: 'Failed' },
  { value: 'running', label: 'Still running' },
  ...CODES.map((code) => ({ value: code, label: code })),
];
