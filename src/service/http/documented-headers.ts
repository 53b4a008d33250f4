/** Request and answer headers, as the OpenAPI document describes them. */
import { HEADERS, MIN_RESULT_CHARS } from '../../protocol/http';

export const idempotencyKey = {
  name: HEADERS.idempotencyKey,
  in: 'header',
  description: 'Names the call: a retry with the same key returns the first result and never runs the action again',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

export const timeout = {
  name: HEADERS.timeoutMs,
  in: 'header',
  description: 'Milliseconds that the caller waits',
  schema: { type: 'integer', minimum: 1 },
};

export const maxResultChars = {
  name: HEADERS.maxResultChars,
  in: 'header',
  description:
    'The most characters of the result in one answer; of a longer result the answer holds the first part, and svc__read_result reads on',
  schema: { type: 'integer', minimum: MIN_RESULT_CHARS },
};

export const searchId = {
  name: HEADERS.searchId,
  in: 'header',
  description: 'Id of the search that led to this request, from the header of its answer',
  schema: { type: 'string', maxLength: 100 },
};

export const SEARCH_ID_OF_ANSWER = { [HEADERS.searchId]: 'Id of this search: send it with calls of the actions in the answer' };
