/** Changes of toolkits' profiles, which only pages for people show: the store has them, the catalogue does not. */
import { isDeepStrictEqual } from 'node:util';
import { PROFILE_MEMBERS, type ToolkitProfile } from '#sdk/protocol/toolkit-profile';
import type { ToolkitProfileRecord, ToolkitProfileStore } from '../store/toolkit-profile-store';

export class ToolkitProfiles {
  readonly #store: Pick<ToolkitProfileStore, 'get' | 'put'>;

  constructor(store: Pick<ToolkitProfileStore, 'get' | 'put'>) {
    this.#store = store;
  }

  /** The profile with these changes; undefined when nothing is different. */
  async changed(toolkitId: string, changes: ToolkitProfile): Promise<ToolkitProfileRecord | undefined> {
    if (PROFILE_MEMBERS.every((member) => changes[member] === undefined)) return undefined;
    const { changedAt = 0, ...before } = (await this.#store.get(toolkitId)) ?? { toolkitId };
    const after = withChanges(before, changes);
    return isDeepStrictEqual(after, before) ? undefined : { ...after, changedAt: Math.max(Date.now(), changedAt) };
  }

  async put(profile: ToolkitProfileRecord): Promise<void> {
    await this.#store.put(profile);
  }
}

type Profile = Omit<ToolkitProfileRecord, 'changedAt'>;

function withChanges(before: Profile, { readme, icon, homepage, category, version }: ToolkitProfile): Profile {
  const changes = { readme, ...(icon !== undefined && partsOf(icon)), homepage, category, version };
  const changed = Object.entries(changes).filter(([, value]) => value !== undefined);
  const members = Object.entries({ ...before, ...Object.fromEntries(changed) });
  return Object.fromEntries(members.filter(([, value]) => value !== null)) as unknown as Profile;
}

/** @param icon a checked data URL */
function partsOf(icon: string | null): { iconType: string | null; icon: string | null } {
  if (icon === null) return { iconType: null, icon: null };
  const [iconType = '', data = ''] = icon.slice('data:'.length).split(';base64,');
  return { iconType, icon: data };
}
