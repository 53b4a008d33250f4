/**
 * The developer's options of `new Toolkit(…)`, checked and completed from the environment.
 *
 * Errors: INVALID_KEY and WRONG_KEY_KIND for the key, INVALID_REQUEST for the rest. No message holds the key.
 */
import { SvcError } from '../protocol/errors';
import { DEFAULT_BASE_URL, PATHS } from '../protocol/http';
import type { ActionContext } from './context';
import type { StatusListener, WarningListener } from './status';

/**
 * Middleware around every handler. It must call `next` once, which runs the handler, and return its value: the handler's result, or an
 * Error that the handler returned.
 */
export type Middleware = (ctx: ActionContext, next: () => Promise<unknown>) => Promise<unknown>;

export type OnRejected = 'fail' | 'skip';

export interface ToolkitOptions {
  /** Toolkit API key, `svc_toolkit_…`. Default: the environment variable SVC_TOOLKIT_API_KEY. */
  apiKey?: string | undefined;
  /** Address of the service. Default: the environment variable SVC_BASE_URL, then `http://127.0.0.1:8787`. */
  baseUrl?: string | undefined;
  /** Invocations that run at a time, 1 to 10,000; the service queues further ones. Default: 100. */
  concurrency?: number | undefined;
  /** Called with every change of the connection; its errors are ignored. Default: 3 s without a connection print a line on stderr. */
  onStatus?: StatusListener | undefined;
  /** Called with mistakes in ended calls, such as a charge that the service could not read; its errors are ignored. */
  onWarning?: WarningListener | undefined;
  /**
   * When the service rejects an action of the first registration: `fail` (default) rejects `run()` with INVALID_ACTION; `skip` serves the
   * other actions and reports the rejected ones to `onStatus`, or without `onStatus` in one line each on stderr.
   */
  onRejected?: OnRejected | undefined;
  /** Wraps every handler, for traces (`svc-sdk/opentelemetry`), logs and state of one call, such as an `AsyncLocalStorage`. */
  middleware?: Middleware | undefined;
}

export interface CheckedOptions {
  apiKey: string;
  /** The address of the socket. */
  url: string;
  concurrency: number;
  onStatus: StatusListener | undefined;
  onWarning?: WarningListener | undefined;
  onRejected?: OnRejected | undefined;
  middleware?: Middleware | undefined;
}

const DEFAULT_CONCURRENCY = 100;
const MAX_CONCURRENCY = 10_000;
const TOOLKIT_KEY = /^svc_toolkit_[0-9A-Za-z]+$/;
const OTHER_KEY = /^svc_(agent|admin)_/;

export function checkOptions(options: ToolkitOptions): CheckedOptions {
  const { concurrency = DEFAULT_CONCURRENCY, onStatus, onWarning, onRejected = 'fail', middleware } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY) {
    throw new SvcError('INVALID_REQUEST', `concurrency is a whole number from 1 to ${MAX_CONCURRENCY}, not ${String(concurrency)}`);
  }
  if (onStatus !== undefined && typeof onStatus !== 'function') {
    throw new SvcError('INVALID_REQUEST', 'onStatus is a function that gets a ToolkitStatus');
  }
  if (onWarning !== undefined && typeof onWarning !== 'function') {
    throw new SvcError('INVALID_REQUEST', 'onWarning is a function that gets a CallWarning');
  }
  if (onRejected !== 'fail' && onRejected !== 'skip') {
    throw new SvcError('INVALID_REQUEST', `onRejected is "fail" or "skip", not ${JSON.stringify(onRejected)}`);
  }
  if ('around' in options) throw new SvcError('INVALID_REQUEST', 'around is now called middleware: write `new Toolkit({ middleware })`');
  if (middleware !== undefined && typeof middleware !== 'function') {
    throw new SvcError('INVALID_REQUEST', 'middleware is a function: `(ctx, next) => next()`');
  }
  return {
    apiKey: checkKey(options.apiKey ?? fromEnvironment('SVC_TOOLKIT_API_KEY')),
    url: socketUrl(options.baseUrl ?? fromEnvironment('SVC_BASE_URL') ?? DEFAULT_BASE_URL),
    concurrency,
    onStatus,
    onWarning,
    onRejected,
    middleware,
  };
}

function checkKey(key: unknown): string {
  if (key === undefined || key === '') {
    throw new SvcError('INVALID_KEY', 'A Toolkit needs a toolkit key: set SVC_TOOLKIT_API_KEY or pass apiKey');
  }
  const kind = typeof key === 'string' ? OTHER_KEY.exec(key)?.[1] : undefined;
  if (kind) throw new SvcError('WRONG_KEY_KIND', `A Toolkit needs a toolkit key (svc_toolkit_…); this is an ${kind} key`);
  if (typeof key === 'string' && TOOLKIT_KEY.test(key)) return key;
  throw new SvcError('INVALID_KEY', 'The key is mistyped: a toolkit key is svc_toolkit_ and then letters and digits');
}

function socketUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new SvcError('INVALID_REQUEST', 'baseUrl is the http:// or https:// address of the service, such as http://127.0.0.1:8787');
  }
  if (url.username || url.password)
    throw new SvcError('INVALID_REQUEST', 'baseUrl must not hold a user name or password: the key authenticates the toolkit');
  const scheme = url.protocol === 'https:' ? 'wss' : 'ws';
  return `${scheme}://${url.host}${url.pathname.replace(/\/+$/, '')}${PATHS.toolkitSocket}`;
}

/** An empty variable counts as unset. Some runtimes have no `process`. */
function fromEnvironment(name: string): string | undefined {
  return globalThis.process?.env[name] || undefined;
}
