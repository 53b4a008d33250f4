import type { RequestEnv } from '../request-env';

/** Sends a request to the app itself, for an authenticated caller. */
export type Dispatch = (request: Request, env: RequestEnv['Bindings']) => Response | Promise<Response>;
