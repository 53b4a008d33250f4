import { serveToolkit } from './sdk.ts';

await serveToolkit((toolkit) => {
  toolkit.action({ action: 'echo', actionDescription: 'Serves the bench' }, (_ctx, payload) => payload);
  toolkit.action(
    { action: 'sell', actionDescription: 'Serves the bench at a price', payment: { amount: '0.000001' } },
    (_ctx, payload) => payload,
  );
});
