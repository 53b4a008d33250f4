/** `svc-service connections`: accounts at the APIs behind toolkits, at a running service through its admin API. */
import { text } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { adminService } from '#sdk/cli/environment';
import { notEmpty } from '#sdk/cli/options';
import { addPageFlags, noteMore, type PageFlags, readPages } from '#sdk/cli/pages';
import { serviceRequest } from '#sdk/cli/service-request';
import type { Terminal } from '#sdk/cli/terminal';
import { UsageError } from '#sdk/cli/usage-error';
import {
  ADMIN_PATHS,
  type ConnectionClient,
  type ConnectionInfo,
  type ConnectLinkRequest,
  type CreatedConnectLink,
  type EndedConnection,
  type KeptConnectionsPage,
  type ResealedConnections,
  type SetConnectionClientRequest,
} from '#sdk/protocol/admin';
import { connectionTable } from './connection-table';

interface Where {
  url?: string;
}

type ListFlags = Where & PageFlags & { toolkit?: string };
type ConnectFlags = Where & { key?: string; name?: string };

interface ClientFlags extends Where {
  id?: string;
  authMethod?: SetConnectionClientRequest['authMethod'];
  /** False for `--no-secret`. */
  secret: boolean;
  remove?: true;
}

const CONNECTION = ['<id>', 'con_…, from connections list'] as const;

export function addConnectionsCommand(program: Command, terminal: Terminal): void {
  const connections = program
    .command('connections')
    .description('Connect accounts of toolkits at a running service, list and end them (SVC_BASE_URL, SVC_ADMIN_API_KEY)');
  const list = connections
    .command('list')
    .description('List the accounts, newest first')
    .option('--toolkit <id>', 'only of this toolkit', notEmpty());
  withUrl(addPageFlags(list)).action((flags: ListFlags) => listConnections(terminal, flags));
  const connect = connections
    .command('connect')
    .description('Make a link to the page that connects an account, for everyone or for an agent key. The link works once')
    .argument('<toolkit>', 'id of the toolkit')
    .option('--key <id>', 'the agent key whose calls act with the account (default: all calls do)', notEmpty())
    .option('--name <name>', 'to tell several accounts apart (default: "default"); one of that name is replaced', notEmpty());
  withUrl(connect).action((toolkit: string, flags: ConnectFlags) => connectAccount(terminal, toolkit, flags));
  const revoke = connections.command('revoke').description('Disconnect an account: its token is revoked at the provider, and deleted');
  withUrl(revoke.argument(...CONNECTION)).action((id: string, flags: Where) => revokeConnection(terminal, id, flags));
  withUrl(connections.command('reseal').description('Seal all accounts with the first key of SVC_SECRETS_KEY')).action((flags: Where) =>
    reseal(terminal, flags),
  );
  const client = connections
    .command('client')
    .description("Show, set or remove a toolkit's OAuth client at its provider")
    .argument('<toolkit>', 'id of the toolkit')
    .option('--id <client id>', 'set this client; its secret comes from standard input', notEmpty())
    .option('--no-secret', 'with --id: a client without a secret')
    .addOption(
      new Option('--auth-method <method>', 'with --id: how the service sends the secret (default: basic)').choices(['basic', 'post']),
    )
    .addOption(new Option('--remove', 'remove the client').conflicts('id'));
  withUrl(client)
    .addHelpText(
      'after',
      `
The secret goes to standard input: others on the machine can read a command
line.
  svc-service connections client github --id Iv1.8a61f9b3a7aba766 < secret.txt`,
    )
    .action((toolkit: string, flags: ClientFlags) => changeClient(terminal, toolkit, flags));
}

function withUrl(command: Command): Command {
  return command.option('--url <url>', 'the service (default: SVC_BASE_URL)');
}

async function listConnections(terminal: Terminal, { url, toolkit, ...page }: ListFlags): Promise<void> {
  const itemsOf = ({ connections }: KeptConnectionsPage): ConnectionInfo[] => connections;
  const from = { path: ADMIN_PATHS.keptConnections, query: { toolkit }, itemsOf };
  const { items, nextCursor } = await readPages(adminService(url), from, page);
  const value = { connections: items, ...(nextCursor !== undefined && { nextCursor }) };
  terminal.showList(value, connectionTable(items), { whenEmpty: 'No account is connected', cut: [2, 3] });
  noteMore(terminal, nextCursor);
}

async function connectAccount(terminal: Terminal, toolkit: string, { url, key, name }: ConnectFlags): Promise<void> {
  const asked: ConnectLinkRequest = {
    toolkit,
    ...(key === undefined ? { owner: 'everyone' } : { owner: 'agent', keyId: key }),
    ...(name !== undefined && { name }),
  };
  const link = await serviceRequest<CreatedConnectLink>(adminService(url), 'POST', `${ADMIN_PATHS.keptConnections}/links`, asked);
  terminal.show(link, link.url);
  terminal.note(`Open it in a browser, and sign in to the console. It works once, until ${link.expiresAt}.`);
}

async function revokeConnection(terminal: Terminal, id: string, { url }: Where): Promise<void> {
  const path = `${ADMIN_PATHS.keptConnections}/${encodeURIComponent(id)}`;
  const { provider } = await serviceRequest<EndedConnection>(adminService(url), 'DELETE', path);
  terminal.show({ id, provider }, `${id} is deleted; ${PROVIDER_WORDS[provider]}`);
}

const PROVIDER_WORDS: Record<EndedConnection['provider'], string> = {
  revoked: 'the provider revoked its token',
  'not asked': 'its provider has nothing to revoke',
  failed: 'the provider did not revoke its token: revoke the access in the settings of the account too',
};

async function reseal(terminal: Terminal, { url }: Where): Promise<void> {
  const done = await serviceRequest<ResealedConnections>(adminService(url), 'POST', `${ADMIN_PATHS.keptConnections}/reseal`);
  const { resealed, unreadable } = done;
  terminal.show(done, `${resealed} resealed, ${unreadable} sealed with a key that the service does not have`);
}

async function changeClient(terminal: Terminal, toolkit: string, { url, id, secret, authMethod, remove }: ClientFlags): Promise<void> {
  if (id === undefined && (authMethod !== undefined || !secret))
    throw new UsageError('--auth-method and --no-secret set a client: add --id');
  if (!secret && authMethod !== undefined)
    throw new UsageError('A client without a secret sends none: give --auth-method or --no-secret, not both');
  const service = adminService(url);
  const path = `${ADMIN_PATHS.connectionClients}/${encodeURIComponent(toolkit)}`;
  if (remove) {
    await serviceRequest(service, 'DELETE', path);
    return terminal.show({ toolkit, removed: true }, `The client of ${toolkit} is removed`);
  }
  if (id === undefined) return showClient(terminal, await serviceRequest(service, 'GET', path));
  const client: SetConnectionClientRequest = {
    clientId: id,
    ...(secret && { clientSecret: await readSecret(terminal) }),
    ...(authMethod !== undefined && { authMethod }),
  };
  requireKnownEndpoints(toolkit, await serviceRequest<ConnectionClient>(service, 'GET', path));
  showClient(terminal, await serviceRequest(service, 'PUT', path, client));
}

/** A stolen toolkit key can name other endpoints, and a new secret would go there. */
function requireKnownEndpoints(toolkit: string, { otherEndpoints, endpoints }: ConnectionClient): void {
  if (!otherEndpoints) return;
  const { tokenUrl, server = tokenUrl } = endpoints;
  throw new UsageError(
    `${toolkit} names other endpoints than those of its client; a secret would now go to ${server}. If that is the provider, remove the client first (--remove)`,
  );
}

/** @throws UsageError for a terminal, which would show the secret */
async function readSecret({ stdin }: Terminal): Promise<string> {
  const how = 'pass it on standard input, such as with < secret.txt; for a client without one, add --no-secret';
  if ('isTTY' in stdin && stdin.isTTY === true) throw new UsageError(`A terminal would show the secret: ${how}`);
  const secret = (await text(stdin)).trim();
  if (secret === '') throw new UsageError(`Standard input is empty: the client secret is missing. To give it, ${how}`);
  return secret;
}

function showClient(terminal: Terminal, client: ConnectionClient): void {
  const { clientId, hasSecret, callbackUrl, otherEndpoints, endpoints } = client;
  const set = clientId === undefined ? 'No client is set' : `Client ${clientId}, ${hasSecret ? 'with a secret' : 'without a secret'}`;
  terminal.show(client, callbackUrl === undefined ? set : `${set}. Callback URL for the provider: ${callbackUrl}`);
  if (callbackUrl === undefined) terminal.note('The service does not know its own address: start it with --public-url');
  if (otherEndpoints)
    terminal.note(
      `The toolkit names other endpoints since, such as ${endpoints.server ?? endpoints.tokenUrl}: if that is the provider, remove the client (--remove), and set it again`,
    );
}
