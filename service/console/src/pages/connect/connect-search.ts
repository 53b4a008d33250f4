import { isToolkitId } from '#sdk/protocol/ids';

export interface ConnectSearch {
  /** The toolkit whose actions are tools of their own. */
  staticToolkits?: string;
}

/** Anyone can write a link to the page, and people copy its commands into a shell: an id has no characters that a shell reads. */
export function connectSearch({ staticToolkits }: Record<string, unknown>): ConnectSearch {
  return typeof staticToolkits === 'string' && isToolkitId(staticToolkits) ? { staticToolkits } : {};
}
