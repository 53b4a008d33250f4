/** The problem document of a route, with the headers that say whether the connection can be used again. */
import type { SvcError } from '#sdk/protocol/errors';
import { type ProblemAnswer, problemAnswer } from '../lib/problem';

export function routeProblem(error: SvcError): ProblemAnswer {
  const answer = problemAnswer(error);
  // The rest of the body may be unread, so the connection cannot be reused.
  if (error.code === 'REQUEST_TOO_LARGE' || error.code === 'SERVICE_UNAVAILABLE') answer.headers.connection = 'close';
  // A load balancer can send a retry on a new connection to another node.
  if (error.code === 'SERVICE_STOPPING') answer.headers.connection = 'close';
  return answer;
}
