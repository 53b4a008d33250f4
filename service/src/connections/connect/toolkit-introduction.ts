/** The facts about a toolkit on the connect page: a person has to know who gets the access. */

import type { KeyRing } from '../../keys/key-ring';
import { visibleText } from '../../payload/clean-text';
import type { AccountStore } from '../../store/console-store';
import type { ConnectedToolkit } from '../call-connections';

export interface ToolkitIntroduction {
  id: string;
  name: string;
  /** Names of the people whose keys the toolkit has. Empty: its operator made the keys. */
  people: string[];
  help: string | undefined;
  scopes: readonly string[];
  /** The host to which the browser goes. Undefined: the page has a form. */
  provider: string | undefined;
  providerOrigin: string | undefined;
}

export interface ToolkitIntroductionDeps {
  keys: Pick<KeyRing, 'records'>;
  accounts: Pick<AccountStore, 'find'>;
}

export async function introduceToolkit(
  { id, name, auth }: ConnectedToolkit,
  { keys, accounts }: ToolkitIntroductionDeps,
): Promise<ToolkitIntroduction> {
  const owners = (await keys.records()).filter(({ toolkitId, revokedAt }) => toolkitId === id && revokedAt === null);
  const ids = [...new Set(owners.flatMap(({ ownerId }) => ownerId ?? []))];
  const people = (await Promise.all(ids.map((personId) => accounts.find(personId)))).flatMap((person) =>
    person ? [visibleText(person.name)] : [],
  );
  const address = auth.server ?? auth.authorizationUrl;
  const at = auth.type === 'oauth2' && address !== undefined ? new URL(address) : undefined;
  return {
    ...{ id, name: visibleText(name), people, help: auth.help && visibleText(auth.help), scopes: auth.scopes ?? [] },
    provider: at?.host,
    providerOrigin: at?.origin,
  };
}
