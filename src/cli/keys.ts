/** `svc-sdk keys`: on a data directory, or on a running service through its admin API. */
import { type Command, Option } from 'commander';
import { type CreatedKey, type CreateKeyRequest, type KeyInfo, type KeyKind, type Keys, openKeys } from 'svc-sdk/service';
import { AdminClient } from './admin-client';
import { collect, DEFAULT_DATA, positiveNumber, wholeNumber } from './options';

interface Where {
  data: string;
  url?: string;
  json?: boolean;
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

export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('Make, list, rotate and revoke keys');
  withWhere(keys.command('create').description('Make a key; it is shown this once'))
    .addOption(new Option('--kind <kind>', 'who will hold it').choices(['agent', 'toolkit', 'admin']).makeOptionMandatory())
    .requiredOption('--name <name>', 'what it is for')
    .option('--toolkit <id>', 'of a toolkit key: the toolkit it belongs to (default: a new one, named after --name)')
    .option('--allow-toolkit <id>', 'of an agent key: only this toolkit; may be given several times', collect)
    .option('--allow-action <id>', 'of an agent key: only this action; may be given several times', collect)
    .option('--calls-per-minute <n>', 'of an agent key: its rate limit', wholeNumber)
    .option('--expires-in-days <n>', 'until when it works', positiveNumber)
    .action(async (options: CreateOptions) => show(options, await on(options, (all) => all.create(requestOf(options)))));
  withWhere(keys.command('list').description('List keys, without their secrets')).action(async (options: Where) => {
    const all = await on(options, (open) => open.list());
    if (options.json) console.log(JSON.stringify(all, null, 2));
    else for (const key of all) console.log(line(key));
  });
  withWhere(keys.command('rotate').description('Give a key a new secret; the old one stops at once').argument('<id>')).action(
    async (id: string, options: Where) => show(options, await on(options, (all) => all.rotate(id))),
  );
  withWhere(keys.command('revoke').description('Withdraw a key').argument('<id>')).action(async (id: string, options: Where) => {
    await on(options, (all) => all.revoke(id));
    if (!options.json) console.log(`${id} is revoked`);
  });
}

function withWhere(command: Command): Command {
  return command
    .option('--data <dir>', 'data directory of the service', DEFAULT_DATA)
    .option('--url <url>', 'a running service instead, with SVC_ADMIN_API_KEY')
    .option('--json', 'print JSON');
}

async function on<T>({ data, url }: Where, use: (keys: Keys) => Promise<T>): Promise<T> {
  if (url !== undefined) return use(new AdminClient(url));
  const keys = await openKeys(data);
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

function show({ json }: Where, created: CreatedKey): void {
  if (json) return console.log(JSON.stringify(created));
  console.log(created.key);
  const belongs = created.toolkit === undefined ? '' : ` of toolkit "${created.toolkit}"`;
  console.error(`${created.id}, ${created.kind} key "${created.name}"${belongs}. It is not shown again.`);
}

function line({ id, kind, name, toolkit, createdAt, expiresAt, revokedAt }: KeyInfo): string {
  const state = revokedAt ? `revoked ${revokedAt}` : expiresAt ? `expires ${expiresAt}` : 'valid';
  return [id, kind.padEnd(7), state, `made ${createdAt}`, toolkit ?? '-', name].join('  ');
}
