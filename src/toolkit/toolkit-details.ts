/** Errors: INVALID_REQUEST for an invalid name, description or `auth`. */
import { toolkitAuthProblem } from '../protocol/auth-problem';
import { SvcError } from '../protocol/errors';
import type { ToolkitDetails } from '../protocol/frames';
import type { ToolkitProfile } from '../protocol/toolkit-profile';

export interface ToolkitUpdate extends Omit<ToolkitDetails, 'icon'> {
  /** The bytes of a PNG, JPEG or WebP, or `data:image/png;base64,…`; at most 65,536 bytes. Null removes it. */
  icon?: string | Uint8Array | null;
}

export function hasProfile({ readme, icon, homepage, category, version }: { [Member in keyof ToolkitProfile]: unknown }): boolean {
  return [readme, icon, homepage, category, version].some((value) => value !== undefined);
}

/** The members without those of the profile. */
export function checkToolkitDetails({ name, description, auth }: ToolkitUpdate): ToolkitDetails {
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
