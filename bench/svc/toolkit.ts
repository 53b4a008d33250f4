import { serveToolkit } from './sdk.ts';

await serveToolkit((toolkit) => toolkit.action({ action: 'echo', actionDescription: 'Serves the bench' }, (_ctx, payload) => payload));
