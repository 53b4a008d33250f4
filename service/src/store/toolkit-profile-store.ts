import type { IconType, ToolkitCategory } from '#sdk/protocol/toolkit-profile';

/** The part of a profile that a list of toolkits shows. */
export interface ToolkitProfileSummary {
  toolkitId: string;
  /** Absent: the toolkit has no icon. */
  iconType?: IconType;
  homepage?: string;
  category?: ToolkitCategory;
  version?: string;
  /** Milliseconds since the epoch. */
  changedAt: number;
}

export interface ToolkitProfileRecord extends ToolkitProfileSummary {
  /** Markdown. */
  readme?: string;
  /** Base64, with `iconType`. */
  icon?: string;
}

/** Removing a toolkit from the catalogue removes its profile. */
export interface ToolkitProfileStore {
  get(toolkitId: string): Promise<ToolkitProfileRecord | undefined>;
  /** Leaves out READMEs and the bytes of icons. Toolkits without a profile are absent. */
  list(toolkitIds: readonly string[]): Promise<Map<string, ToolkitProfileSummary>>;
  put(profile: ToolkitProfileRecord): Promise<void>;
}
