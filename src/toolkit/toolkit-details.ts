/** Errors: INVALID_REQUEST for an invalid name or description. */
import { SvcError } from '../protocol/errors';
import type { ToolkitDetails } from '../protocol/frames';

export function checkToolkitDetails({ name, description }: ToolkitDetails): ToolkitDetails {
  if (name !== undefined && (typeof name !== 'string' || name.trim() === '')) {
    throw new SvcError('INVALID_REQUEST', 'The name of a toolkit is a non-empty text: updateToolkit({ name: "Weather" })');
  }
  if (description !== undefined && typeof description !== 'string') {
    throw new SvcError('INVALID_REQUEST', 'The description of a toolkit is a text');
  }
  return { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) };
}
