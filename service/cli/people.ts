/** `svc-service people`: manages accounts directly in the data, with or without a running service. */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { SvcError } from 'svc-sdk';
import { type CreatedInvitation, type DataPlace, openPeople, type Role, type StoredPeople } from 'svc-service';
import { positiveNumber } from '#sdk/cli/options';
import type { Terminal } from '#sdk/cli/terminal';
import { addPlaceFlags, type PlaceFlags, placeOf, shownPlace } from './place';

interface LinkOptions extends PlaceFlags {
  url: string;
}

const ROLES: Role[] = ['owner', 'member'];
const PERSON = ['<person>', 'their id (per_…) or e-mail, from people list'] as const;

export function addPeopleCommand(program: Command, terminal: Terminal): void {
  const people = program.command('people').description('Invite people to the console, list, promote and remove them');
  const invite = people
    .command('invite')
    .description('Make a link that makes one account; it is shown this once')
    .addOption(new Option('--role <role>', 'owner: everything; member: their own keys and toolkits').choices(ROLES).default('member'))
    .option('--name <name>', 'whom it is for')
    .option('--expires-in-days <n>', 'how long the link works (default: 7)', positiveNumber);
  withLink(invite).action(
    async ({ role, name, expiresInDays, ...where }: LinkOptions & { role: Role; name?: string; expiresInDays?: number }) => {
      // The command, in another directory than the service, would silently make a link that no service accepts.
      const announceNewData = (place: DataPlace) =>
        terminal.note(`${shownPlace(place)} had no data: created. If your service runs on other data, name it with --data or --database.`);
      const invitation = { role, ...(name !== undefined && { name }), ...(expiresInDays !== undefined && { expiresInDays }) };
      showLink(terminal, where, `Makes one account, ${role}`, await on(where, (all) => all.invite(invitation), announceNewData));
    },
  );
  withWhere(people.command('list').description('List who has an account')).action(async (where: PlaceFlags) => {
    const all = await on(where, (open) => open.list());
    const rows = all.map(({ id, role, name, email, createdAt }) => [id, role, name, email, createdAt]);
    terminal.showList(all, [['id', 'role', 'name', 'e-mail', 'made'], ...rows], { whenEmpty: 'There is no account yet', cut: [2] });
  });
  const role = people
    .command('role')
    .description('Make a person an owner or a member; their sessions end')
    .argument(...PERSON)
    .addArgument(new Argument('<role>').choices(ROLES));
  withWhere(role).action(async (person: string, to: Role, where: PlaceFlags) => {
    const changed = await on(where, (all) => all.changeRole(person, to));
    terminal.show(
      changed,
      `${changed.name} (${changed.email}) is ${to === 'owner' ? 'an owner' : 'a member'}${andKeys(changed.revokedKeys)}`,
    );
  });
  withWhere(
    people
      .command('remove')
      .description('Remove an account, with its sessions and keys')
      .argument(...PERSON),
  ).action(async (person: string, where: PlaceFlags) => {
    const removed = await on(where, (all) => all.remove(person));
    terminal.show(removed, `${person} is removed${andKeys(removed.revokedKeys)}`);
  });
  const reset = people.command('reset-link').description('Make a link that sets a new password: also for an owner who has lost theirs');
  withLink(reset.argument(...PERSON)).action(async (person: string, where: LinkOptions) =>
    showLink(terminal, where, `Sets the password of ${person}`, await on(where, (all) => all.resetLink(person))),
  );
}

function withWhere(command: Command): Command {
  return addPlaceFlags(command, 'data directory of the service, whether it runs or not');
}

function withLink(command: Command): Command {
  return withWhere(command).option('--url <url>', 'where browsers reach the service', webAddress, 'http://127.0.0.1:8787');
}

function webAddress(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new InvalidArgumentError('It is an http(s) URL, such as https://tools.example.com.');
  return url.origin;
}

/** @param onNew called before new data are created; without it, missing data are an error */
async function on<T>(flags: PlaceFlags, use: (people: StoredPeople) => Promise<T>, onNew?: (place: DataPlace) => void): Promise<T> {
  const place = placeOf(flags);
  const people = await openPeople(place, { create: false }).catch((error: unknown) => {
    if (!onNew || !SvcError.is(error) || error.code !== 'NOT_FOUND') throw error;
    onNew(place);
    return openPeople(place);
  });
  try {
    return await use(people);
  } finally {
    await people.close();
  }
}

function showLink(terminal: Terminal, { url }: LinkOptions, what: string, created: CreatedInvitation): void {
  // Browsers do not send the part after #.
  const link = `${url}/join#${created.token}`;
  terminal.show({ ...created, link }, link);
  terminal.note(`${what}, once, until ${created.expiresAt}. It is not shown again.`);
}

function andKeys({ length }: readonly string[]): string {
  return length === 0 ? '' : `; ${length} of their keys ${length === 1 ? 'is' : 'are'} revoked`;
}
