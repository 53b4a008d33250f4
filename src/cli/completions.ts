/** The command `completions`: what a shell needs to complete commands and options, written from the commands themselves. */
import { Argument, type Command } from 'commander';
import { type CompletedCommand, SHELLS, type Shell, scriptFor } from './completion-scripts';
import type { Terminal } from './terminal';

export function addCompletionsCommand(program: Command, terminal: Terminal): void {
  program
    .command('completions')
    .description('Print the completions for a shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText(
      'after',
      `
bash: add to ~/.bashrc   source <(${program.name()} completions bash)
zsh:  add to ~/.zshrc, after compinit   source <(${program.name()} completions zsh)
fish: ${program.name()} completions fish > ~/.config/fish/completions/${program.name()}.fish`,
    )
    .action((shell: Shell) => {
      const script = scriptFor(shell, program.name(), completed(program, []));
      terminal.show({ shell, script }, script.trimEnd());
    });
}

/** The command and all below it, outermost first. */
function completed(command: Command, path: readonly string[]): CompletedCommand[] {
  const own: CompletedCommand = {
    path: path.join(' '),
    commands: command.commands.map((sub) => ({ name: sub.name(), description: sub.description() })),
    options: [
      ...command.options.map(({ long, short, description, argChoices }) => ({
        name: long ?? short ?? '',
        description,
        ...(argChoices && { choices: argChoices }),
      })),
      { name: '--help', description: 'display help for command' },
    ],
    choices: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
  };
  return [own, ...command.commands.flatMap((sub) => completed(sub, [...path, sub.name()]))];
}
