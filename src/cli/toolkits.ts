/** `svc-sdk toolkits`: which toolkits an agent key reaches, and what changed at the sources of imported ones. */
import type { Command } from 'commander';
import { type CatalogToolkit, PATHS, type ToolkitsPage } from '../protocol/http';
import { agentService } from './environment';
import type { ImportedFlags } from '../../service/cli/imports/imported-changes';
import { notEmpty } from './options';
import { addPageFlags, noteMore, type PageFlags, readPages } from './pages';
import type { Terminal } from './terminal';

const HEAD = ['id', 'name', 'actions', 'processes'];

export function addToolkitsCommand(program: Command, terminal: Terminal): void {
  const toolkits = program.command('toolkits').description('The toolkits of a running service, and those of toolkits.yaml');
  addPageFlags(
    toolkits.command('list').description('List the toolkits that an agent key reaches (SVC_BASE_URL, SVC_AGENT_API_KEY)'),
  ).action((flags: PageFlags) => listToolkits(terminal, flags));
  imported(toolkits, 'check', 'Compare the sources of toolkits.yaml with what was approved of them; exit code 1 when they differ').action(
    async (ids: string[], flags: ImportedFlags) => (await import('../../service/cli/imports/imported-changes')).checkToolkits(terminal, ids, flags),
  );
  imported(toolkits, 'update', 'Read OpenAPI documents again from where they came; what changed is held until toolkits approve').action(
    async (ids: string[], flags: ImportedFlags) => (await import('../../service/cli/imports/imported-changes')).updateToolkits(terminal, ids, flags),
  );
  imported(toolkits, 'approve', 'Show what changed since the approval, and approve it')
    .option('--yes', 'approve what is shown, without a question')
    .action(async (ids: string[], flags: ImportedFlags & { yes?: true }) =>
      (await import('../../service/cli/imports/imported-changes')).approveToolkits(terminal, ids, flags),
    );
}

function imported(toolkits: Command, name: string, description: string): Command {
  return toolkits
    .command(name)
    .description(description)
    .argument('[id...]', 'toolkits of the file (default: all)')
    .option('--file <file>', 'the file that names the toolkits', notEmpty(), 'toolkits.yaml');
}

async function listToolkits(terminal: Terminal, flags: PageFlags): Promise<void> {
  const { items, nextCursor } = await readPages(
    agentService(),
    { path: PATHS.toolkits, itemsOf: (page: ToolkitsPage): CatalogToolkit[] => page.toolkits },
    flags,
  );
  const rows = items.map(({ id, name, actions, replicas }) => [id, name, `${actions}`, replicas === 0 ? 'offline' : `${replicas}`]);
  terminal.showList({ toolkits: items, nextCursor }, [HEAD, ...rows], {
    whenEmpty: 'No toolkit has registered yet, or the key reaches none',
    cut: [1],
  });
  noteMore(terminal, nextCursor);
}
