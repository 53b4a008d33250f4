/** The process of `Links`: runs the proxies. */
import type { LinkCommand, Opened } from './links.ts';
import { FaultProxy } from './proxy.ts';

const ports = new Map<string, number>();
const proxies = new Map<number, FaultProxy>();

process.on('message', async (command: LinkCommand) => {
  if (command.type === 'target') ports.set(command.name, command.port);
  else if (command.type === 'act') proxies.get(command.link)?.[command.action]();
  else {
    const { link, targets, firstTurn } = command;
    const proxy = await FaultProxy.open(() => targets.flatMap((name) => ports.get(name) ?? []), firstTurn);
    proxies.set(link, proxy);
    process.send?.({ link, port: proxy.port } satisfies Opened);
  }
});
// A normal exit would close each socket first.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
