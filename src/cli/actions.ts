/** `svc-sdk actions`: which actions an agent key reaches. */
import { type Command, Option } from 'commander';
import { type ActionsPage, type CatalogAction, PATHS } from '../protocol/http';
import { approveActions, listReviews } from './approve-actions';
import { agentService } from './environment';
import { addPageFlags, noteMore, type PageFlags, readPages } from './pages';
import type { Terminal } from './terminal';
import { firstLine } from './text-width';

interface ActionsFlags extends PageFlags {
  toolkit?: string;
  state?: 'review';
}

const HEAD = ['id', 'online', 'description'];
const MOST_COLUMNS = 80;

export function addActionsCommand(program: Command, terminal: Terminal): void {
  const actions = program.command('actions').description('The actions of a running service');
  const list = actions
    .command('list')
    .description('List the actions that an agent key reaches, by id; with --json also their schemas (SVC_BASE_URL, SVC_AGENT_API_KEY)')
    .option('--toolkit <id>', 'only those of this toolkit')
    .addOption(
      new Option('--state <state>', 'review: those that wait for approval, for an admin key (SVC_ADMIN_API_KEY)').choices(['review']),
    );
  addPageFlags(list).action(({ state, toolkit, ...flags }: ActionsFlags) =>
    state === 'review' ? listReviews(terminal, toolkit, flags) : listActions(terminal, { toolkit, ...flags }),
  );
  actions
    .command('approve')
    .description('Approve the present texts of actions, or of all actions of a toolkit (SVC_BASE_URL, SVC_ADMIN_API_KEY)')
    .argument('<id...>', 'ids of actions or toolkits')
    .option('--hash <hash>', 'of the texts that you read, from actions list --state review: texts that changed since are not approved')
    .action((ids: string[], options: { hash?: string }) => approveActions(terminal, ids, options));
}

async function listActions(terminal: Terminal, { toolkit, ...flags }: PageFlags & { toolkit: string | undefined }): Promise<void> {
  const { items, nextCursor } = await readPages(
    agentService(),
    { path: PATHS.actions, query: { toolkit }, itemsOf: (page: ActionsPage): CatalogAction[] => page.actions },
    flags,
  );
  const rows = items.map(({ action, online, description }) => [action, online ? 'yes' : 'no', firstLine(description, MOST_COLUMNS)]);
  terminal.showList({ actions: items, nextCursor }, [HEAD, ...rows], {
    whenEmpty: 'The service has no actions, or the key reaches none',
    cut: [2],
  });
  noteMore(terminal, nextCursor);
}
