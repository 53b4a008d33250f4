/** The profile of an update, checked before it is sent; loaded by the first update that has one. Errors: INVALID_REQUEST. */
import { SvcError } from '../protocol/errors';
import type { ToolkitDetails } from '../protocol/frames';
import { iconTypeOf, MAX_ICON_BYTES, PROFILE_MEMBERS, profileProblem } from '../protocol/toolkit-profile';
import type { ToolkitUpdate } from './toolkit-details';

/** @param checked the other members */
export function withProfile(checked: ToolkitDetails, update: ToolkitUpdate): ToolkitDetails {
  const { readme, homepage, category, version } = update;
  const icon = update.icon instanceof Uint8Array ? dataUrl(update.icon) : update.icon;
  const profile = { readme, icon, homepage, category, version };
  const details: ToolkitDetails = { ...checked };
  for (const member of PROFILE_MEMBERS) {
    if (profile[member] === undefined) continue;
    const problem = profileProblem(member, profile[member]);
    if (problem) throw invalid(member, problem);
    Object.assign(details, { [member]: profile[member] });
  }
  return details;
}

function dataUrl(bytes: Uint8Array): string {
  const { length } = bytes;
  if (length > MAX_ICON_BYTES)
    throw invalid('icon', `it has ${length} bytes; at most ${MAX_ICON_BYTES} are allowed, 128 × 128 pixels are enough`);
  const type = iconTypeOf(bytes);
  if (!type) throw invalid('icon', 'its bytes are none of PNG, JPEG and WebP; convert it to one');
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}

function invalid(member: string, problem: string): SvcError {
  return new SvcError('INVALID_REQUEST', `updateToolkit({ ${member} }): ${problem}`);
}
