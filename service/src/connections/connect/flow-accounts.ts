/** The accounts of flows: they are stored as connections, or revoked. */
import type { Actor } from '#sdk/protocol/admin';
import type { Audit } from '../../audit/audit';
import type { Logger } from '../../lib/logger';
import type { FlowRecord } from '../../store/connect-store';
import type { ConnectionRecord } from '../../store/connection-store';
import type { GrantRequests } from '../grant-requests';
import { ProviderError } from '../provider-error';
import type { StoredConnections } from '../stored-connections';
import type { AppWebhooks } from './app-webhooks';
import type { ConnectedFlow } from './flow-secrets';
import type { SignedInOpener } from './openers';

/** A service without a console, on this machine: its people have no names. */
const USER_OF_THIS_MACHINE: Actor = { kind: 'command', name: 'A browser on this machine' };

export interface FlowAccountsDeps {
  rows: StoredConnections;
  grants: Pick<GrantRequests, 'revoke'>;
  webhooks: Pick<AppWebhooks, 'changed'>;
  audit: Audit;
  logger: Logger;
}

export class FlowAccounts {
  readonly #deps: FlowAccountsDeps;

  constructor(deps: FlowAccountsDeps) {
    this.#deps = deps;
  }

  /** @param person who connected it; undefined on a machine without accounts */
  async keep(flow: FlowRecord, connected: ConnectedFlow, person: SignedInOpener | undefined): Promise<void> {
    if (!person)
      this.#deps.logger.warn(
        { toolkit: flow.toolkitId },
        'a browser on this machine connected an account; without a console, the service does not know whose',
      );
    await this.keepFor(flow, connected, person ? { kind: 'person', id: person.id, name: person.name } : USER_OF_THIS_MACHINE);
  }

  async keepFor(flow: FlowRecord, connected: ConnectedFlow, actor: Actor): Promise<ConnectionRecord> {
    const { rows, audit, webhooks } = this.#deps;
    const { toolkitId, owner, name } = flow;
    const { secret, account, scopes, expiresInMs } = connected;
    const row = await rows.keep({ toolkitId, owner, name, secret, account, scopes, expiresInMs, createdBy: actor.id ?? '' });
    await audit.write(actor, 'connection.connect', toolkitId, { connection: row.id, owner, name, account, scopes });
    webhooks.changed(row, 'live');
    return row;
  }

  /** Ends the access to an account that will not be used, if its provider can do that. */
  async revoke({ toolkitId }: Pick<FlowRecord, 'toolkitId'>, { secret }: ConnectedFlow): Promise<void> {
    const { grants, logger } = this.#deps;
    if (secret.type !== 'oauth2') return;
    try {
      await grants.revoke({ toolkitId }, secret);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      logger.warn({ toolkit: toolkitId, why: error.message }, 'cannot revoke an account that was not confirmed');
    }
  }
}
