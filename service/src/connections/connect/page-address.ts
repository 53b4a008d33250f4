/**
 * The address of the connect page in the browsers of people: the public URL, else that of a service which only this machine can reach. Undefined
 * for any other service, whose people reach it by a name that it does not know.
 */
import { isIP } from 'node:net';
import { SvcError } from '#sdk/protocol/errors';

export const NO_CONNECT_PAGE = 'The service has no connect page: its operator has to start it with its console and --public-url';

export class PageAddress {
  readonly #publicUrl: string | undefined;
  readonly #host: string;
  #port: number | undefined;

  constructor({ publicUrl, host }: { publicUrl: string | undefined; host: string }) {
    this.#publicUrl = publicUrl;
    this.#host = host;
  }

  listening(port: number): void {
    this.#port = port;
  }

  /** An origin, without a slash at its end. */
  get url(): string | undefined {
    if (this.#publicUrl !== undefined) return this.#publicUrl;
    if (!this.isLoopback || this.#port === undefined) return undefined;
    return `http://${isIP(this.#host) === 6 ? `[${this.#host}]` : this.#host}:${this.#port}`;
  }

  /** True if only users of this machine reach the service. */
  get isLoopback(): boolean {
    return this.#publicUrl === undefined && (this.#host === 'localhost' || this.#host === '::1' || this.#host.startsWith('127.'));
  }

  /** @throws SvcError SERVICE_UNAVAILABLE */
  get requiredUrl(): string {
    const { url } = this;
    if (url !== undefined) return url;
    throw new SvcError('SERVICE_UNAVAILABLE', NO_CONNECT_PAGE, { retryable: false });
  }

  linkUrl(token: string): string {
    return `${this.requiredUrl}${CONNECT_PATHS.connect}/${token}`;
  }

  callbackUrl(toolkitId: string): string {
    return `${this.requiredUrl}${CONNECT_PATHS.callback}/${toolkitId}`;
  }

  clientDocumentUrl(toolkitId: string): string {
    return `${this.requiredUrl}${CONNECT_PATHS.clients}/${toolkitId}.json`;
  }
}

export const CONNECT_PATHS = {
  connect: '/connections/connect',
  callback: '/connections/callback',
  clients: '/connections/clients',
} as const;
