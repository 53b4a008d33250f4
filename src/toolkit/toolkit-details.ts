/** Errors: INVALID_REQUEST for an invalid name, description or `auth`. */
import { toolkitAuthProblem } from '../protocol/auth-problem';
import { SvcError } from '../protocol/errors';
import type { ToolkitDetails } from '../protocol/frames';

export function checkToolkitDetails({ name, description, auth }: ToolkitDetails): ToolkitDetails {
  if (name !== undefined && (typeof name !== 'string' || name.trim() === '')) {
    throw new SvcError('INVALID_REQUEST', 'The name of a toolkit is a non-empty text: updateToolkit({ name: "Weather" })');
  }
  if (description !== undefined && typeof description !== 'string') {
    throw new SvcError('INVALID_REQUEST', 'The description of a toolkit is a text');
  }
  const problem = auth && toolkitAuthProblem(auth);
  if (problem) throw new SvcError('INVALID_REQUEST', `updateToolkit({ auth }): ${problem}`);
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(auth === undefined ? {} : { auth }),
  };
}
