/** A service of several nodes with its console on, and its owner, who signed in at the first. */
import { type ConsoleService, startConsole } from '../../../test/support/console-service';
import { startNats } from '../../../test/support/nats';
import { newDatabase } from '../../../test/support/postgres';
import { startService, type TestService } from '../../../test/support/service';

export async function startConsoleNodes(count: number): Promise<{ first: ConsoleService; nodes: readonly TestService[] }> {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const options = { database, nats: nats.url };
  const first = await startConsole(options);
  const nodes: TestService[] = [first];
  while (nodes.length < count) nodes.push(await startService({ ...options, console: true }));
  return { first, nodes };
}
