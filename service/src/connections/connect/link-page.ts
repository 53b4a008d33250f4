/** The state of a link for the browser that opens it. Reading it changes nothing: chats open links for their previews. */
import type { Catalog } from '../../catalog/catalog';
import { isActive, type KeyRing } from '../../keys/key-ring';
import { sha256Hex } from '../../lib/sha256-hex';
import { visibleText } from '../../payload/clean-text';
import type { ConnectLinkRecord, ConnectStore, FlowRecord } from '../../store/connect-store';
import type { AccountStore } from '../../store/console-store';
import { type ConnectedToolkit, isConnected } from '../call-connections';
import { readOwner } from '../owner';
import type { StoredConnections } from '../stored-connections';
import type { AppConnects } from './app-connects';
import { type CredentialField, credentialFields } from './credential-form';
import type { FlowSecrets } from './flow-secrets';
import type { Opener, Openers } from './openers';
import { introduceToolkit, type ToolkitIntroduction } from './toolkit-introduction';

/** The people for whom the account will be. */
export type ShownOwner =
  | { kind: 'everyone' }
  | { kind: 'agent'; keyName: string }
  | { kind: 'user'; appName: string; userId: string; returnUrl: string | undefined }
  | { kind: 'person'; name: string };

export type ShownStep =
  | { kind: 'open'; problem: string | undefined }
  /** The browser was sent to the provider, and is not back. */
  | { kind: 'started' }
  | { kind: 'checking' }
  | { kind: 'awaiting'; code: string; account: string }
  | { kind: 'done'; account: string }
  | { kind: 'ended' };

export interface ShownToolkit extends ToolkitIntroduction {
  fields: readonly CredentialField[];
  step: ShownStep;
}

export type PageState =
  | { kind: 'gone' }
  | { kind: 'other browser' }
  | { kind: 'sign in' }
  | { kind: 'other person'; owner: ShownOwner; signedInAs: string | undefined }
  | { kind: 'open'; link: ConnectLinkRecord; owner: ShownOwner; toolkits: ShownToolkit[] };

export interface ConnectPageDeps {
  store: ConnectStore;
  secrets: FlowSecrets;
  rows: StoredConnections;
  apps: Pick<AppConnects, 'get'>;
  openers: Openers;
  catalog: Pick<Catalog, 'toolkit'>;
  keys: Pick<KeyRing, 'find' | 'records'>;
  accounts: Pick<AccountStore, 'find'>;
}

export class LinkPage {
  readonly #deps: ConnectPageDeps;

  constructor(deps: ConnectPageDeps) {
    this.#deps = deps;
  }

  async state(token: string, { browserHash, person }: Opener): Promise<PageState> {
    const { store, openers } = this.#deps;
    const link = await store.link(sha256Hex(token));
    const owner = link && (await this.#owner(link));
    const toolkits = link ? this.#toolkits(link) : [];
    if (!link || !owner || toolkits.length === 0) return { kind: 'gone' };
    if (link.browserHash !== null && link.browserHash !== browserHash) return { kind: 'other browser' };
    const admission = await openers.admit(link.owner, link.toolkits, person);
    if (admission === 'sign in') return { kind: 'sign in' };
    if (admission === 'other person') return { kind: 'other person', owner, signedInAs: person && visibleText(person.name) };
    const flows = link.browserHash === null ? [] : await store.flowsOfLink(link.hash);
    const shown = toolkits.map((toolkit) =>
      this.#show(
        link,
        toolkit,
        flows.findLast(({ toolkitId }) => toolkitId === toolkit.id),
      ),
    );
    return { kind: 'open', link, owner, toolkits: await Promise.all(shown) };
  }

  #toolkits({ toolkits }: ConnectLinkRecord): ConnectedToolkit[] {
    return toolkits.map((id) => this.#deps.catalog.toolkit(id)).filter(isConnected);
  }

  /** Undefined when the key or the person is gone. */
  async #owner(link: ConnectLinkRecord): Promise<ShownOwner | undefined> {
    const { keys, accounts, apps } = this.#deps;
    const owner = readOwner(link.owner);
    if (owner.kind === 'everyone') return owner;
    if (owner.kind === 'person') {
      const person = await accounts.find(owner.personId);
      return person && { kind: 'person', name: visibleText(person.name) };
    }
    const key = await keys.find(owner.keyId);
    if (!key || !isActive(key)) return undefined;
    const name = visibleText(key.name);
    if (owner.kind === 'agent') return { kind: 'agent', keyName: name };
    return { kind: 'user', appName: name, userId: visibleText(owner.userId), returnUrl: (await apps.get(owner.keyId)).returnUrl };
  }

  async #show(link: ConnectLinkRecord, toolkit: ConnectedToolkit, flow: FlowRecord | undefined): Promise<ShownToolkit> {
    const facts = await introduceToolkit(toolkit, this.#deps);
    return { ...facts, fields: credentialFields(toolkit.auth), step: await this.#step(link, flow) };
  }

  async #step({ owner, name }: ConnectLinkRecord, flow: FlowRecord | undefined): Promise<ShownStep> {
    switch (flow?.status) {
      case undefined:
        return { kind: 'open', problem: undefined };
      case 'failed':
        return { kind: 'open', problem: flow.problem ?? undefined };
      case 'started':
      case 'checking':
      case 'ended':
        return { kind: flow.status };
      case 'awaiting': {
        const { code = '', account = '' } = this.#deps.secrets.open(flow)?.connected ?? {};
        return { kind: 'awaiting', code, account };
      }
      case 'done': {
        const rows = await this.#deps.rows.store.ofOwner(flow.toolkitId, owner);
        return { kind: 'done', account: rows.find((row) => row.name === name)?.account ?? '' };
      }
    }
  }
}
