import { serveAction } from './sdk.ts';

await serveAction('echo', async (payload) => payload);
