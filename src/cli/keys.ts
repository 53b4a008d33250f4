/** `svc-sdk keys`: on a data directory, or on a running service through its admin API. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type CreatedKey, type CreateKeyRequest, type KeyKind, type Keys, openKeys } from 'svc-sdk/service';
import { toToolkitId } from '../protocol/ids';
import { AdminClient } from './admin-client';
import { keyTable } from './key-table';
import { collect, parseWholeNumber, positiveNumber } from './options';
import { addPlaceFlags, type PlaceFlags, placeOf, placeWords } from './place';
import type { Terminal } from './terminal';

interface Where extends PlaceFlags {
  url?: string;
}

interface CreateOptions extends Where {
  kind: KeyKind;
  name: string;
  toolkit?: string;
  allowToolkit?: string[];
  allowAction?: string[];
  callsPerMinute?: number;
  expiresInDays?: number;
}

export function addKeysCommand(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('Make, list, rotate and revoke keys');
  const create = keys
    .command('create')
    .description('Make a key; it is shown this once')
    .addOption(
      new Option('--kind <kind>', 'agent: searches and invokes; toolkit: serves actions; admin: makes keys over HTTP')
        .choices(['agent', 'toolkit', 'admin'])
        .makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'what it is for')
    .option('--toolkit <id>', 'of a toolkit key: the toolkit it belongs to (default: a new one, named after --name)')
    .option('--allow-toolkit <id>', 'of an agent key: only this toolkit; may be given several times', collect)
    .option('--allow-action <id>', 'of an agent key: only this action; may be given several times', collect)
    .option('--calls-per-minute <n>', 'of an agent key: its rate limit', parseWholeNumber)
    .option('--expires-in-days <n>', 'how long it works (default: for ever)', positiveNumber);
  withWhere(create)
    .addHelpText('after', '\nThe key goes to stdout, what it is to stderr: SVC_AGENT_API_KEY=$(svc-sdk keys create --kind agent --name me)')
    .action((options: CreateOptions) => createKey(terminal, options));
  withWhere(keys.command('list').description('List keys, without their secrets')).action(async (options: Where) => {
    const all = await on(options, (open) => open.list());
    terminal.showList(all, keyTable(all), 'There are no keys yet');
  });
  withWhere(
    keys.command('rotate').description('Give a key a new secret; the old one stops at once').argument('<id>', 'key_…, from keys list'),
  ).action(async (id: string, options: Where) => show(terminal, await on(options, (all) => all.rotate(id))));
  withWhere(keys.command('revoke').description('Withdraw a key, for good').argument('<id>', 'key_…, from keys list')).action(
    async (id: string, options: Where) => {
      await on(options, (all) => all.revoke(id));
      terminal.show({ id, revoked: true }, `${id} is revoked`);
    },
  );
}

function withWhere(command: Command): Command {
  return addPlaceFlags(command, 'data directory of the service, whether it runs or not').addOption(
    new Option('--url <url>', 'a running service instead, with SVC_ADMIN_API_KEY').conflicts('data'),
  );
}

async function createKey(terminal: Terminal, options: CreateOptions): Promise<void> {
  const { url } = options;
  const place = url === undefined ? placeOf(options) : undefined;
  const newDirectory = typeof place === 'string' && !existsSync(place) ? place : undefined;
  const created = await on(options, (all) => all.create(requestOf(options)), { create: true });
  show(terminal, created);
  const wanted = toToolkitId(options.name);
  if (options.toolkit === undefined && created.toolkit !== undefined && created.toolkit !== wanted)
    terminal.note(
      `Toolkit "${wanted}" is there already, so this key has a new one; for another key of the old one, add --toolkit ${wanted}`,
    );
  if (newDirectory !== undefined)
    terminal.note(`${resolve(newDirectory)} is new; start the service on it with: npx svc-sdk serve${placeWords(newDirectory)}`);
}

async function on<T>({ url, ...flags }: Where, use: (keys: Keys) => Promise<T>, { create = false } = {}): Promise<T> {
  if (url !== undefined) return use(new AdminClient(url));
  const keys = await openKeys(placeOf(flags), { create });
  try {
    return await use(keys);
  } finally {
    await keys.close();
  }
}

function requestOf(options: CreateOptions): CreateKeyRequest {
  const { kind, name, toolkit, allowToolkit, allowAction, callsPerMinute, expiresInDays } = options;
  return {
    kind,
    name,
    ...(toolkit !== undefined && { toolkit }),
    ...((allowToolkit || allowAction) && { allow: { toolkits: allowToolkit ?? [], actions: allowAction ?? [] } }),
    ...(callsPerMinute !== undefined && { callsPerMinute }),
    ...(expiresInDays !== undefined && { expiresInDays }),
  };
}

function show(terminal: Terminal, created: CreatedKey): void {
  terminal.show(created, created.key);
  const belongs = created.toolkit === undefined ? '' : ` of toolkit "${created.toolkit}"`;
  terminal.note(`${created.id}, ${created.kind} key "${created.name}"${belongs}. It is not shown again.`);
}
