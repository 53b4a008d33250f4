/** The webhook of approvals: its address, and the sealed secret that signs in both directions. A setting, so that all nodes have the same. */
import * as z from 'zod';
import type { KeptTexts } from '../lib/kept-texts';
import { outboundAddress } from '../lib/outbound-address';
import { newWebhookSecret, shownWebhookSecret } from '../lib/webhook-signature';
import { APPROVAL_WEBHOOK, type SettingStore } from '../store/console-store';

const stored = z.object({ url: z.string(), sealed: z.string(), sealedBy: z.string() }).nullable();
const PLACE = [APPROVAL_WEBHOOK];

export interface ApprovalHook {
  url: string;
  secret: Buffer;
}

export interface WebhookSettingDeps {
  settings: Pick<SettingStore, 'all' | 'put'>;
  texts: KeptTexts;
  /** Hosts that may have private addresses, and be reached by `http:`. */
  privateHosts: readonly string[];
}

export class WebhookSetting {
  readonly #deps: WebhookSettingDeps;

  constructor(deps: WebhookSettingDeps) {
    this.#deps = deps;
  }

  /** Undefined without a webhook. */
  async url(): Promise<string | undefined> {
    return (await this.#read())?.url;
  }

  /** Undefined without a webhook, and for a secret that no key opens any more. */
  async hook(): Promise<ApprovalHook | undefined> {
    const setting = await this.#read();
    const secret = setting ? this.#deps.texts.open(setting, PLACE) : undefined;
    return setting && secret !== undefined ? { url: setting.url, secret: Buffer.from(secret, 'base64') } : undefined;
  }

  /**
   * Returns the new secret, which is not shown again.
   *
   * @throws SvcError INVALID_REQUEST
   */
  async set(address: string): Promise<{ url: string; secret: string }> {
    const url = outboundAddress('url', address, new Set(this.#deps.privateHosts));
    const secret = newWebhookSecret();
    await this.#put({ url, ...this.#deps.texts.seal(secret, PLACE) });
    return { url, secret: shownWebhookSecret(secret) };
  }

  async remove(): Promise<void> {
    await this.#put(null);
  }

  async #read(): Promise<z.output<typeof stored> | undefined> {
    const setting = (await this.#deps.settings.all()).find(({ name }) => name === APPROVAL_WEBHOOK);
    return setting && stored.parse(setting.value);
  }

  async #put(value: z.input<typeof stored>): Promise<void> {
    await this.#deps.settings.put([{ name: APPROVAL_WEBHOOK, value }], Date.now());
  }
}
