/** `svc-sdk toolkits`: which toolkits an agent key reaches. */
import type { Command } from 'commander';
import { type CatalogToolkit, PATHS, type ToolkitsPage } from '../protocol/http';
import { agentService } from './environment';
import { addPageFlags, noteMore, type PageFlags, readPages } from './pages';
import type { Terminal } from './terminal';

const HEAD = ['id', 'name', 'actions', 'processes'];

export function addToolkitsCommand(program: Command, terminal: Terminal): void {
  const toolkits = program.command('toolkits').description('The toolkits of a running service');
  addPageFlags(
    toolkits
      .command('list')
      .description('List the toolkits that an agent key reaches, the most used first (SVC_BASE_URL, SVC_AGENT_API_KEY)'),
  ).action((flags: PageFlags) => listToolkits(terminal, flags));
}

async function listToolkits(terminal: Terminal, flags: PageFlags): Promise<void> {
  const { items, nextCursor } = await readPages(
    agentService(),
    { path: PATHS.toolkits, query: { sort: 'use' }, itemsOf: (page: ToolkitsPage): CatalogToolkit[] => page.toolkits },
    flags,
  );
  const rows = items.map(({ id, name, actions, replicas }) => [id, name, `${actions}`, replicas === 0 ? 'offline' : `${replicas}`]);
  terminal.showList({ toolkits: items, nextCursor }, [HEAD, ...rows], {
    whenEmpty: 'No toolkit has registered yet, or the key reaches none',
    cut: [1],
  });
  noteMore(terminal, nextCursor);
}
