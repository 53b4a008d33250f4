/** A toolkit whose source describes it to people, where its owner has not. */
import { Toolkit, type ToolkitUpdate } from 'svc-sdk';
import { PROFILE_MEMBERS, type ProfileMember, type ToolkitProfile } from '#sdk/protocol/toolkit-profile';
import { fetchIcon } from './fetch-icon';
import type { SourceProfile } from './source-profile';

export class DescribedToolkit extends Toolkit {
  /** Members that the owner has set or removed. */
  readonly #owned = new Set<ProfileMember>();
  #described = '';

  override updateToolkit(update: ToolkitUpdate): Promise<void> {
    for (const member of PROFILE_MEMBERS) if (update[member] !== undefined) this.#owned.add(member);
    return super.updateToolkit(update);
  }

  /** Never rejects: people can do without. */
  async describe(profile: SourceProfile): Promise<void> {
    const text = JSON.stringify(profile);
    // Each connection to an MCP server describes it again.
    if (text === this.#described) return;
    this.#described = text;
    const { icons, ...members } = profile;
    await this.#fill(members);
    for (const address of icons) {
      const icon = this.#owned.has('icon') ? undefined : await fetchIcon(address);
      if (icon === undefined) continue;
      await this.#fill({ icon });
      break;
    }
  }

  async #fill(profile: ToolkitProfile): Promise<void> {
    const missing = Object.entries(profile).filter(([member]) => !this.#owned.has(member as ProfileMember));
    if (missing.length > 0) await super.updateToolkit(Object.fromEntries(missing)).catch(() => {});
  }
}
