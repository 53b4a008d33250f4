/**
 * `fetch` without the platform's limits of 5 minutes until the headers, and between two parts of the body: a call ends at its deadline, which may be
 * a day away.
 *
 * Source: the dispatcher of the platform's `fetch`, under the name that undici gives it for all its copies.
 */
interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
}

const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const WITHOUT_LIMITS = { headersTimeout: 0, bodyTimeout: 0 };

/** Passes each request to the dispatcher of that moment, which may be one for a proxy. */
const patient: Dispatcher = {
  dispatch: (options, handler) => platformDispatcher().dispatch({ ...options, ...WITHOUT_LIMITS }, handler),
};

export function patientFetch(address: string | URL, init: RequestInit = {}): Promise<Response> {
  return fetch(address, { ...init, dispatcher: patient } as RequestInit);
}

/** Never undefined while a request is sent: `fetch` has made it. */
function platformDispatcher(): Dispatcher {
  return (globalThis as unknown as Record<symbol, Dispatcher>)[DISPATCHER] as Dispatcher;
}
