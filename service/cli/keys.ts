/** `svc-service keys`: works on a data directory, or on a running service through its admin API. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Budget, type CreatedKey, type CreateKeyRequest, type KeyKind, type Keys, openKeys } from 'svc-service';
import { collect, parseWholeNumber, positiveNumber } from '#sdk/cli/options';
import type { Terminal } from '#sdk/cli/terminal';
import { UsageError } from '#sdk/cli/usage-error';
import { MAX_OVERLAP_SECONDS } from '#sdk/protocol/admin-constants';
import { toToolkitId } from '#sdk/protocol/ids';
import { AdminClient } from './admin-client';
import { addRulesCommand, type RulesFlags, readRulesFile, runRules } from './key-rules';
import { budgetText, keyTable } from './key-table';
import { addPlaceFlags, type PlaceFlags, placeOf, placeWords } from './place';

const SECONDS_PER_HOUR = 3_600;

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
  budgetPerCall?: string;
  budgetPerDay?: string;
  rules?: string;
  code?: true;
  expiresInDays?: number;
}

interface RotateOptions extends Where {
  overlapHours?: number;
}

interface BudgetOptions extends Where {
  perCall?: string;
  perDay?: string;
  none?: true;
}

export function addKeysCommand(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('Make, list, rotate and revoke keys, and set what they may spend and do');
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
    .option(
      '--budget-per-call <amount>',
      'of an agent key: what one call may cost, such as 0.10; without a budget it uses only free actions',
    )
    .option('--budget-per-day <amount>', 'of an agent key: what all calls of a UTC day may cost')
    .option('--rules <file>', 'of an agent key: its rules, as a JSON list; docs/approvals.md')
    .option('--code', 'of an agent key: it may run code, on a service with serve --code; docs/code.md')
    .option('--expires-in-days <n>', 'how long it works (default: for ever)', positiveNumber);
  withWhere(create)
    .addHelpText(
      'after',
      `
The key goes to stdout, what it is to stderr:
  SVC_AGENT_API_KEY=$(svc-service keys create --kind agent --name me)`,
    )
    .action((options: CreateOptions) => createKey(terminal, options));
  withWhere(keys.command('list').description('List keys, without their secrets')).action(async (options: Where) => {
    const all = await on(options, (open) => open.list());
    terminal.showList(all, keyTable(all), { whenEmpty: 'The service has no keys yet', cut: [2, 3] });
  });
  const budget = keys
    .command('budget')
    .description('Set or take away what an agent key may spend')
    .argument('<id>', 'key_…, from keys list')
    .option('--per-call <amount>', 'what one call may cost, such as 0.10')
    .option('--per-day <amount>', 'what all calls of a UTC day may cost')
    .option('--none', 'take the budget away: only free actions');
  withWhere(budget).action((id: string, options: BudgetOptions) => changeBudget(terminal, id, options));
  withWhere(addRulesCommand(keys)).action((id: string, options: RulesFlags & Where) =>
    on(options, (all) => runRules(terminal, id, options, all)),
  );
  const rotate = keys
    .command('rotate')
    .description('Give a key a new secret')
    .argument('<id>', 'key_…, from keys list')
    .option('--overlap-hours <n>', 'how long the old secret works beside it (default: it stops at once)', overlapHours);
  withWhere(rotate).action(async (id: string, { overlapHours = 0, ...options }: RotateOptions) =>
    show(terminal, await on(options, (all) => all.rotate(id, Math.ceil(overlapHours * SECONDS_PER_HOUR)))),
  );
  withWhere(keys.command('revoke').description('Withdraw a key, for good').argument('<id>', 'key_…, from keys list')).action(
    async (id: string, options: Where) => {
      await on(options, (all) => all.revoke(id));
      terminal.show({ id, revoked: true }, `${id} is revoked`);
    },
  );
}

function overlapHours(text: string): number {
  const hours = positiveNumber(text);
  const most = MAX_OVERLAP_SECONDS / SECONDS_PER_HOUR;
  if (hours > most) throw new InvalidArgumentError(`At most ${most}: for longer, make a second key.`);
  return hours;
}

function withWhere(command: Command): Command {
  return addPlaceFlags(command, 'data directory of the service, whether it runs or not').addOption(
    new Option('--url <url>', 'a running service instead, with SVC_ADMIN_API_KEY').conflicts('data'),
  );
}

async function createKey(terminal: Terminal, options: CreateOptions): Promise<void> {
  const request = requestOf(options);
  const { url } = options;
  const place = url === undefined ? placeOf(options) : undefined;
  const newDirectory = typeof place === 'string' && !existsSync(place) ? place : undefined;
  const created = await on(options, (all) => all.create(request), { create: true });
  show(terminal, created);
  const wanted = toToolkitId(options.name);
  if (options.toolkit === undefined && created.toolkit !== undefined && created.toolkit !== wanted)
    terminal.note(
      `Toolkit "${wanted}" is there already, so this key has a new one; for another key of the old one, add --toolkit ${wanted}`,
    );
  if (newDirectory !== undefined)
    terminal.note(`${resolve(newDirectory)} is new; start the service on it with: npx svc-service serve${placeWords(newDirectory)}`);
}

async function changeBudget(terminal: Terminal, id: string, options: BudgetOptions): Promise<void> {
  const { perCall, perDay, none } = options;
  if (none ? (perCall ?? perDay) !== undefined : (perCall ?? perDay) === undefined)
    throw new UsageError('Give --per-call and --per-day, or --none to take the budget away');
  const budget = none ? null : budgetOf({ perCall, perDay }, '--per-call and --per-day');
  const changed = await on(options, (all) => all.change(id, { budget }));
  terminal.show(changed, `${id} may spend ${changed.budget ? budgetText(changed.budget) : 'nothing'}`);
}

/** @param flags names of the two flags */
function budgetOf({ perCall, perDay }: { perCall?: string | undefined; perDay?: string | undefined }, flags: string): Budget {
  if (perCall === undefined || perDay === undefined) throw new UsageError(`A budget needs both ${flags}`);
  return { perCall, perDay };
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
  const { kind, name, toolkit, allowToolkit, allowAction, callsPerMinute, budgetPerCall, budgetPerDay, rules, code, expiresInDays } =
    options;
  const budget = { perCall: budgetPerCall, perDay: budgetPerDay };
  return {
    kind,
    name,
    ...(toolkit !== undefined && { toolkit }),
    ...((allowToolkit || allowAction) && { allow: { toolkits: allowToolkit ?? [], actions: allowAction ?? [] } }),
    ...(callsPerMinute !== undefined && { callsPerMinute }),
    ...((budgetPerCall ?? budgetPerDay) !== undefined && { budget: budgetOf(budget, '--budget-per-call and --budget-per-day') }),
    ...(rules !== undefined && { rules: readRulesFile(rules) }),
    ...(code && { code }),
    ...(expiresInDays !== undefined && { expiresInDays }),
  };
}

function show(terminal: Terminal, created: CreatedKey): void {
  terminal.show(created, created.key);
  const belongs = created.toolkit === undefined ? '' : ` of toolkit "${created.toolkit}"`;
  terminal.note(`${created.id}, ${created.kind} key "${created.name}"${belongs}. It is not shown again.`);
}
