/**
 * Sends changes of connections to the webhooks of apps: a POST with JSON, signed as the Standard Webhooks have it. A failed one is sent again a few
 * times; an app that was away for longer reads the list of connections.
 */
import { randomBytes } from 'node:crypto';
import type { GuardedFetch } from '../../lib/guarded-fetch';
import type { Logger } from '../../lib/logger';
import { signedPost } from '../../lib/signed-post';
import type { ConnectionRecord } from '../../store/connection-store';
import { readOwner } from '../owner';
import type { AppConnects } from './app-connects';

export type ChangedStatus = ConnectionRecord['status'] | 'removed';

/** Pauses before the next tries. */
const PAUSES_MS = [500, 5_000, 60_000, 600_000];

export interface AppWebhooksDeps {
  apps: Pick<AppConnects, 'hook'>;
  fetch: GuardedFetch;
  logger: Logger;
}

export class AppWebhooks {
  readonly #deps: AppWebhooksDeps;

  constructor(deps: AppWebhooksDeps) {
    this.#deps = deps;
  }

  /** Returns at once. */
  changed({ id, toolkitId, owner }: Pick<ConnectionRecord, 'id' | 'toolkitId' | 'owner'>, status: ChangedStatus): void {
    const of = readOwner(owner);
    if (of.kind !== 'user' && of.kind !== 'agent') return;
    const userId = of.kind === 'user' ? of.userId : undefined;
    const body = JSON.stringify({
      type: 'connection.changed',
      connection: id,
      toolkit: toolkitId,
      ...(userId !== undefined && { userId }),
      status,
    });
    const message = { id: `evt_${randomBytes(16).toString('hex')}`, body };
    void this.#send(of.keyId, message, 0);
  }

  async #send(keyId: string, message: { id: string; body: string }, tries: number): Promise<void> {
    try {
      const hook = await this.#deps.apps.hook(keyId);
      if (!hook) return;
      const answer = await this.#deps.fetch(hook.url, signedPost(hook.secret, message));
      if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    } catch (error) {
      const pause = PAUSES_MS[tries];
      const why = error instanceof Error ? error.message : String(error);
      this.#deps.logger.warn(
        { key: keyId, why, again: pause !== undefined },
        'cannot send a change of a connection to the webhook of its app',
      );
      if (pause !== undefined) setTimeout(() => void this.#send(keyId, message, tries + 1), pause).unref();
    }
  }
}
