/** Where alerts are sent: a setting, so that all nodes have the same. Addresses that grant access, passwords and signing secrets are sealed. */
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { NewAlertTarget } from '#sdk/protocol/alert-schemas';
import { ALERT_TARGET_KINDS, type AlertTargetKind } from '#sdk/protocol/alerts';
import { SvcError } from '#sdk/protocol/errors';
import type { GuardedFetch } from '../../lib/guarded-fetch';
import type { KeptTexts } from '../../lib/kept-texts';
import { Mutex } from '../../lib/mutex';
import { outboundAddress } from '../../lib/outbound-address';
import { newWebhookSecret, shownWebhookSecret } from '../../lib/webhook-signature';
import { ALERT_TARGETS, type SettingStore } from '../../store/console-store';
import type { AlertChannel } from './alert-channel';
import { emailChannel } from './email-channel';
import { slackChannel } from './slack-channel';
import { readSmtpAddress } from './smtp-address';
import { webhookChannel } from './webhook-channel';

const MAX_TARGETS = 20;

const stored = z.array(
  z.object({
    id: z.string(),
    kind: z.enum(ALERT_TARGET_KINDS),
    place: z.string(),
    createdAt: z.number(),
    sealed: z.string(),
    sealedBy: z.string(),
  }),
);

/** The sealed part of each kind. */
const webhook = z.object({ url: z.string(), secret: z.string() });
const slack = z.object({ url: z.string() });
const email = z.object({ to: z.array(z.string()), from: z.string(), smtpUrl: z.string().optional() });

export interface StoredTarget {
  id: string;
  kind: AlertTargetKind;
  /** Shown: a host, or the recipients. */
  place: string;
  createdAt: number;
}

export interface AlertTargetsDeps {
  settings: Pick<SettingStore, 'all' | 'put'>;
  texts: KeptTexts;
  /** Hosts that may have private addresses, and be reached by `http:`. */
  privateHosts: readonly string[];
  fetch: GuardedFetch;
  /** SVC_SMTP_URL of the operator. */
  smtpUrl: string | undefined;
}

export class AlertTargets {
  readonly #deps: AlertTargetsDeps;
  readonly #changes = new Mutex();

  constructor(deps: AlertTargetsDeps) {
    this.#deps = deps;
  }

  /** Oldest first. */
  async list(): Promise<StoredTarget[]> {
    return (await this.#read()).map(({ id, kind, place, createdAt }) => ({ id, kind, place, createdAt }));
  }

  /**
   * Returns the target, and the new secret of a webhook, which is not shown again.
   *
   * @throws SvcError INVALID_REQUEST, without secrets
   */
  add(asked: NewAlertTarget): Promise<{ target: StoredTarget; secret: string | undefined }> {
    return this.#changes.run(async () => {
      const targets = await this.#read();
      if (targets.length >= MAX_TARGETS)
        throw new SvcError('INVALID_REQUEST', `Alerts have ${MAX_TARGETS} targets already, the most there may be: remove one first`);
      const id = `alt_${randomBytes(12).toString('hex')}`;
      const { place, secrets, secret } = this.#secretsOf(asked);
      const target = { id, kind: asked.kind, place, createdAt: Date.now() };
      await this.#put([...targets, { ...target, ...this.#deps.texts.seal(JSON.stringify(secrets), placeOf(id)) }]);
      return { target, secret };
    });
  }

  /** False for an unknown one. */
  remove(id: string): Promise<boolean> {
    return this.#changes.run(async () => {
      const targets = await this.#read();
      const left = targets.filter((target) => target.id !== id);
      if (left.length === targets.length) return false;
      await this.#put(left);
      return true;
    });
  }

  /** Undefined for a target that was removed. @throws Error for a secret that no key opens any more */
  async channel(id: string): Promise<AlertChannel | undefined> {
    const target = (await this.#read()).find((each) => each.id === id);
    if (!target) return undefined;
    const text = this.#deps.texts.open(target, placeOf(id));
    if (text === undefined)
      throw new Error('its secret cannot be opened any more, since the secrets key was replaced: add the target again');
    const secrets: unknown = JSON.parse(text);
    switch (target.kind) {
      case 'webhook':
        return webhookChannel(webhook.parse(secrets), this.#deps.fetch);
      case 'slack':
        return slackChannel(slack.parse(secrets), this.#deps.fetch);
      case 'email':
        return this.#emailChannel(email.parse(secrets));
    }
  }

  #emailChannel({ smtpUrl: own, ...place }: z.output<typeof email>): AlertChannel {
    const text = own ?? this.#deps.smtpUrl;
    if (text === undefined) throw new Error('the service has no SVC_SMTP_URL: set it and restart, or add the target with an SMTP address');
    const server = readSmtpAddress(text, own === undefined ? 'SVC_SMTP_URL' : 'smtpUrl');
    return emailChannel(place, { ...server, mayBePrivate: own === undefined || this.#deps.privateHosts.includes(server.host) });
  }

  #secretsOf(asked: NewAlertTarget): { place: string; secrets: object; secret?: string } {
    const privateHosts = new Set(this.#deps.privateHosts);
    if (asked.kind === 'email') {
      const { to, from, smtpUrl } = asked;
      if (smtpUrl === undefined && this.#deps.smtpUrl === undefined)
        throw new SvcError('INVALID_REQUEST', 'smtpUrl is missing: the service has no SVC_SMTP_URL, whose server it would use otherwise');
      if (smtpUrl !== undefined) readSmtpAddress(smtpUrl, 'smtpUrl');
      return { place: to.join(', '), secrets: { to, from, ...(smtpUrl !== undefined && { smtpUrl }) } };
    }
    const url = outboundAddress('url', asked.url, privateHosts);
    const place = new URL(url).host;
    if (asked.kind === 'slack') return { place, secrets: { url } };
    const secret = newWebhookSecret();
    return { place, secrets: { url, secret }, secret: shownWebhookSecret(secret) };
  }

  async #read(): Promise<z.output<typeof stored>> {
    const setting = (await this.#deps.settings.all()).find(({ name }) => name === ALERT_TARGETS);
    return setting ? stored.parse(setting.value) : [];
  }

  async #put(value: z.input<typeof stored>): Promise<void> {
    await this.#deps.settings.put([{ name: ALERT_TARGETS, value }], Date.now());
  }
}

function placeOf(id: string): readonly string[] {
  return [ALERT_TARGETS, id];
}
