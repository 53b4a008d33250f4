/**
 * Data of the catalogue's pages: uptime of toolkits by day, texts of actions by version, and publishers.
 *
 * Units: a day is the number of UTC days since the epoch, a minute the number of minutes.
 */

export interface UptimeDay {
  day: number;
  /** Minutes in which the toolkit was online. */
  online: number;
  /** Minutes in which the service ran. */
  counted: number;
}

export interface ActionVersion {
  toolkitId: string;
  /** The action's name within its toolkit. */
  name: string;
  /** 1 for the first. */
  number: number;
  /** SHA-256 of the text, lower-case hex; '' for a removed action. */
  hash: string;
}

export interface VersionText extends ActionVersion {
  /** Milliseconds since the epoch. */
  at: number;
  /** JSON of the texts; null: the action was removed. */
  text: string | null;
}

export interface ListingStore {
  /** Counts a minute of the service and of these toolkits. A minute that another node has counted does not count again. */
  countMinute(minute: number, toolkitIds: readonly string[]): Promise<void>;
  /** The days from `from` on in which the service ran, oldest first. */
  uptime(toolkitId: string, from: number): Promise<UptimeDay[]>;
  /** The last version of each action of these toolkits, or of all. */
  lastVersions(toolkitIds?: readonly string[]): Promise<ActionVersion[]>;
  /** Stores versions and removes those of each action that are `keep` numbers older. A number that another node has stored stays as it is. */
  addVersions(texts: readonly VersionText[], keep: number): Promise<void>;
  /** Newest first. */
  versions(toolkitId: string, limit: number): Promise<VersionText[]>;
  /** Ids of the people whose names the catalogue shows. */
  publishers(): Promise<string[]>;
  setPublisher(personId: string, shown: boolean): Promise<void>;
  /** Removes uptime of days before this one. */
  prune(before: number): Promise<void>;
  removeToolkit(toolkitId: string): Promise<void>;
}
