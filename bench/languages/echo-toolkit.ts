/** `node echo-toolkit.ts [connections]` */
import { serveToolkit } from '../svc/sdk.ts';

await serveToolkit(
  (toolkit) => {
    toolkit.action({ action: 'echo', actionDescription: 'Echoes' }, (_ctx, payload) => payload);
    toolkit.action({ action: 'cpu', actionDescription: 'Milliseconds of processor time of this process' }, () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    });
  },
  Number(process.argv[2] ?? 1),
);
