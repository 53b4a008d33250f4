/** `svc-service toolkits`: the changes at the sources of imported toolkits. */
import type { Command } from 'commander';
import { notEmpty } from '#sdk/cli/options';
import type { Terminal } from '#sdk/cli/terminal';
import type { ImportedFlags } from './imports/imported-changes';
import { LIST_TOKEN, LIST_TOKEN_TEXT } from './imports/list-token-option';

export function addImportedToolkitsCommand(program: Command, terminal: Terminal): void {
  const toolkits = program.command('toolkits').description('The toolkits of toolkits.yaml');
  imported(toolkits, 'check', 'Compare the sources of toolkits.yaml with what was approved of them; exit code 1 when they differ')
    .option(LIST_TOKEN, LIST_TOKEN_TEXT)
    .action(async (ids: string[], flags: ImportedFlags) =>
      (await import('./imports/imported-changes')).checkToolkits(terminal, ids, flags),
    );
  imported(toolkits, 'update', 'Read OpenAPI documents again from where they came; what changed is held until toolkits approve').action(
    async (ids: string[], flags: ImportedFlags) => (await import('./imports/imported-changes')).updateToolkits(terminal, ids, flags),
  );
  imported(toolkits, 'approve', 'Show what changed since the approval, and approve it')
    .option(LIST_TOKEN, LIST_TOKEN_TEXT)
    .option('--yes', 'approve what is shown, without a question')
    .action(async (ids: string[], flags: ImportedFlags & { yes?: true }) =>
      (await import('./imports/imported-changes')).approveToolkits(terminal, ids, flags),
    );
}

function imported(toolkits: Command, name: string, description: string): Command {
  return toolkits
    .command(name)
    .description(description)
    .argument('[id...]', 'toolkits of the file (default: all)')
    .option('--file <file>', 'the file that names the toolkits', notEmpty(), 'toolkits.yaml');
}
