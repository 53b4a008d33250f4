/** A client as its document or its registration describes it. */
import { sha256Hex } from '../lib/sha256-hex';
import { visibleText } from '../payload/clean-text';
import type { AuthMethod } from './metadata';
import { recipientOf, withoutPort } from './redirect-uris';

export interface Client {
  /** The `client_id`. */
  id: string;
  name: string;
  redirectUris: readonly string[];
  authMethod: AuthMethod;
  /** URL of its metadata document, whose host is verified. */
  document?: string;
}

/** The client for people: `ConnectedApp.client`. */
export interface ClientFacts {
  name: string;
  host: string;
  document?: string;
}

const MAX_NAME_CHARS = 80;

export function factsOf({ name, document }: Client, redirectUri: string): ClientFacts {
  const host = document === undefined ? recipientOf(redirectUri) : new URL(document).host;
  return { name: shownName(name) || host, host, ...(document !== undefined && { document }) };
}

/** The name in one line, without characters that hide or turn others. */
function shownName(name: string): string {
  return shortened(visibleText(name).replace(/\s+/g, ' '), MAX_NAME_CHARS);
}

/** Cut between characters: half of one is not visible. */
export function shortened(name: string, maxChars: number): string {
  return visibleText(name.slice(0, maxChars));
}

/**
 * The same for each registration of one app: apps on a person's computer register again with each start, and on another port. So a person has one
 * key for each app.
 */
export function identityOf({ document, name, redirectUris }: Client): string {
  return document ?? `registered:${sha256Hex(JSON.stringify([name, redirectUris.map(withoutPort).sort()]))}`;
}
