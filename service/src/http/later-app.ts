/**
 * The hono app as a listener of `node:http`. It is loaded as soon as the port is open: with its schemas it takes a fifth of a start, and calls,
 * searches and toolkits do not need it. Requests that come earlier wait for it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toSvcError } from '../lib/problem';
import type { AppDeps } from './app-deps';
import type { RouteNames } from './route-names';
import { routeProblem } from './route-problem';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export class LaterApp {
  readonly #deps: AppDeps;
  readonly #routeNames: RouteNames;
  #listener: Listener | undefined;
  #loading: Promise<Listener> | undefined;

  constructor(deps: AppDeps, routeNames: RouteNames) {
    this.#deps = deps;
    this.#routeNames = routeNames;
  }

  /** After what waits for the port, such as the line that says where it is. */
  load(): void {
    // A failure is the answer of the request that tries again.
    setImmediate(() => void this.#load().catch(() => {}));
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    if (this.#listener) this.#listener(request, response);
    else void this.#handleLater(request, response);
  }

  async #handleLater(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const listener = await this.#load();
      listener(request, response);
    } catch (error) {
      const { status, headers, body } = routeProblem(toSvcError(error, this.#deps.logger, request.url ?? ''));
      response.writeHead(status, { ...headers }).end(body);
    }
  }

  #load(): Promise<Listener> {
    this.#loading ??= import('./app-listener')
      .then(({ appListener }) => {
        this.#listener = appListener(this.#deps, this.#routeNames);
        return this.#listener;
      })
      .catch((error: unknown) => {
        // The next request tries again.
        this.#loading = undefined;
        throw error;
      });
    return this.#loading;
  }
}
