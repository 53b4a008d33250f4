import type { RequestEnv } from '../request-env';

/** Sends an internal request to the app, for an authenticated caller. */
export type Dispatch = (request: Request, env: RequestEnv['Bindings']) => Response | Promise<Response>;
