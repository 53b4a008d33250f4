/** `svc-service add`: an MCP server or an OpenAPI document as a toolkit of `toolkits.yaml`. */
import type { Command } from 'commander';
import { collect, notEmpty, wholeNumberFrom } from '#sdk/cli/options';
import type { Terminal } from '#sdk/cli/terminal';
import type { AddFlags } from './imports/add-toolkits';
import { LIST_TOKEN, LIST_TOKEN_TEXT } from './imports/list-token-option';
import type { McpFlags } from './imports/mcp-entry';
import type { OpenapiFlags } from './imports/openapi-entry';

export function addAddCommand(program: Command, terminal: Terminal): void {
  const add = program.command('add').description('Add an MCP server or an OpenAPI document as a toolkit to toolkits.yaml');
  withShared(
    add
      .command('mcp')
      .description('Add an MCP server, by its command or URL, or the servers of another program (--from)')
      .argument('[words...]', 'id of the toolkit, and behind -- the command; with --from: which servers of the file, all without')
      .option('--url <url>', 'a server that speaks streamable HTTP, in place of a command')
      .option('--header <header>', `with --url: 'Name: \${VARIABLE}'; may be repeated`, collect)
      .option(LIST_TOKEN, `with --connection: ${LIST_TOKEN_TEXT}`)
      .option(
        '--env <name=value>',
        `variable for the command, such as API_KEY='\${API_KEY}'; with --from: for each; may be repeated`,
        collect,
      )
      .option('--timeout <seconds>', 'for the start of a server, with the download of its package', wholeNumberFrom(1, 3_600), 120)
      .option('--cwd <dir>', 'folder in which the command runs (default: the folder of toolkits.yaml)', notEmpty())
      .option('--from <file>', 'settings of Claude Desktop, Cursor or VS Code: the MCP servers of it'),
    'name',
  )
    .addHelpText(
      'after',
      `
A command starts in the folder of toolkits.yaml and gets PATH, HOME, what --env
names, and the variables of proxies, certificates and package registries. For
example:
  svc-service add mcp files -- \\
    npx -y @modelcontextprotocol/server-filesystem ./docs
  svc-service add mcp linear --url https://mcp.linear.app/mcp \\
    --header 'Authorization: Bearer \${LINEAR_TOKEN}'
  svc-service add mcp linear --url https://mcp.linear.app/mcp --connection user
  svc-service add mcp --from ~/.cursor/mcp.json`,
    )
    .action(async (words: string[], flags: AddFlags & McpFlags & { from?: string }) =>
      (await import('./imports/add-toolkits')).addMcp(terminal, words, flags),
    );
  withShared(
    add
      .command('openapi')
      .description('Add an OpenAPI document (2.0, 3.0, 3.1; JSON or YAML): each operation becomes an action')
      .argument('<id>', 'id of the toolkit')
      .argument('<source>', 'file or URL of the document')
      .option('--base-url <url>', 'where the API is (default: the first https server of the document)', notEmpty())
      .option(
        '--auth <credential>',
        `'bearer \${VARIABLE}', 'basic user:\${VARIABLE}', 'apiKey \${VARIABLE}', or the name of a scheme of the document; may be repeated`,
        collect,
      )
      .option('--header <header>', "sent with every request: 'Name: value'; may be repeated", collect)
      .option('--exclude-method <method>', 'without the operations of this method, such as delete; may be repeated', collect)
      .option('--deprecated', 'also deprecated operations'),
    'tag:issues, "GET /repos/**" or a name',
  )
    .addHelpText(
      'after',
      `
The document is kept beside toolkits.yaml; svc-service toolkits update reads it
again. For example:
  svc-service add openapi github ./api.github.com.json \\
    --auth 'bearer \${GITHUB_TOKEN}' --include tag:issues --exclude-method delete`,
    )
    .action(async (id: string, source: string, flags: AddFlags & OpenapiFlags) =>
      (await import('./imports/add-toolkits')).addOpenapi(terminal, { id, source }, flags),
    );
}

/** @param filter forms of a filter */
function withShared(command: Command, filter: string): Command {
  return command
    .option('--connection <whose>', 'whose account each call has: caller, user, agent or everyone; the service keeps it, but for caller')
    .option('--connection-type <type>', 'with --connection: bearer, basic, apiKey or oauth2 (default: from the source)')
    .option('--include <filter>', `only actions that fit: ${filter}, with * for any text; may be repeated`, collect)
    .option('--exclude <filter>', 'without actions that fit; may be repeated', collect)
    .option('--describe <name=text>', 'description of an action, in place of its own, may be repeated; or one YAML file of them', collect)
    .option('--file <file>', 'the file to write', notEmpty(), 'toolkits.yaml')
    .option('--dry-run', 'show what agents would see, and write nothing')
    .option('--yes', 'approve what is shown, without a question')
    .option('--force', 'replace the toolkit when it is there');
}
