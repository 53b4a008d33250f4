/** The settings of an app, which is an agent key: where its users come back to after the connect page, and its webhook. */
import { outboundAddress } from '../../lib/outbound-address';
import { newWebhookSecret, shownWebhookSecret } from '../../lib/webhook-signature';
import type { ConnectAppRecord, ConnectStore } from '../../store/connect-store';
import type { SealedSecret } from '../../store/connection-store';
import { type Resealed, resealItems } from '../reseal';
import type { SecretKeys } from '../secret-keys';

export interface AppSettings {
  returnUrl?: string;
  webhookUrl?: string;
}

/** Null removes a setting, and undefined leaves it. */
export interface AppChange {
  returnUrl?: string | null | undefined;
  webhookUrl?: string | null | undefined;
}

export interface ChangedApp extends AppSettings {
  /** The secret of a new webhook, which is not shown again. */
  webhookSecret?: string;
}

export interface AppHook {
  url: string;
  secret: Buffer;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export class AppConnects {
  readonly #store: ConnectStore;
  readonly #keys: SecretKeys;
  readonly #privateHosts: ReadonlySet<string>;

  constructor({ store, keys, privateHosts }: { store: ConnectStore; keys: SecretKeys; privateHosts: readonly string[] }) {
    this.#store = store;
    this.#keys = keys;
    this.#privateHosts = new Set(privateHosts);
  }

  async get(keyId: string): Promise<AppSettings> {
    return toAppSettings(await this.#store.app(keyId));
  }

  async all(keyIds: readonly string[]): Promise<Map<string, AppSettings>> {
    return new Map((await this.#store.apps(keyIds)).map((app) => [app.keyId, toAppSettings(app)]));
  }

  async change(keyId: string, { returnUrl, webhookUrl }: AppChange): Promise<ChangedApp> {
    const before = await this.#store.app(keyId);
    const next = { returnUrl: before?.returnUrl ?? null, webhookUrl: before?.webhookUrl ?? null, secret: before?.secret ?? null };
    // A browser of this machine may go to this machine. The service asks private hosts only if its operator allows them.
    if (returnUrl !== undefined)
      next.returnUrl = returnUrl && outboundAddress('connect.returnUrl', returnUrl, new Set([...this.#privateHosts, ...LOOPBACK]));
    if (webhookUrl !== undefined) next.webhookUrl = webhookUrl && outboundAddress('connect.webhookUrl', webhookUrl, this.#privateHosts);
    const secret = next.webhookUrl !== null && before?.webhookUrl !== next.webhookUrl ? newWebhookSecret() : undefined;
    if (secret !== undefined) next.secret = this.#keys.seal(secret, placeOf(keyId));
    if (next.webhookUrl === null) next.secret = null;
    const record = { keyId, ...next };
    if (next.returnUrl === null && next.webhookUrl === null) await this.#store.removeApp(keyId);
    else await this.#store.putApp(record);
    return { ...toAppSettings(record), ...(secret !== undefined && { webhookSecret: shownWebhookSecret(secret) }) };
  }

  async reseal(): Promise<Resealed> {
    const store = this.#store;
    const items = (await store.appsSealedByOthers(this.#keys.id)).map(({ keyId, secret }) => {
      return { secret, place: placeOf(keyId), replace: (seal: SealedSecret) => store.resealApp(keyId, secret, seal) };
    });
    return resealItems(items, this.#keys);
  }

  /** Undefined for an app without a webhook. */
  async hook(keyId: string): Promise<AppHook | undefined> {
    const app = await this.#store.app(keyId);
    if (!app?.webhookUrl || !app.secret) return undefined;
    const secret = this.#keys.open(app.secret, placeOf(keyId));
    return secret === undefined ? undefined : { url: app.webhookUrl, secret: Buffer.from(secret, 'base64') };
  }
}

export function toAppSettings(app: Pick<ConnectAppRecord, 'returnUrl' | 'webhookUrl'> | undefined): AppSettings {
  return { ...(app?.returnUrl && { returnUrl: app.returnUrl }), ...(app?.webhookUrl && { webhookUrl: app.webhookUrl }) };
}

function placeOf(keyId: string): string[] {
  return ['app', keyId];
}
