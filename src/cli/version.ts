/** The command `version`: which version this is, and of what runs it. */
import type { Command } from 'commander';
import { version } from '../../package.json';
import type { Terminal } from './terminal';

export function addVersionCommand(program: Command, terminal: Terminal): void {
  program
    .command('version')
    .description('Print the version; with --json, also that of Node')
    .action(() => terminal.show({ version, node: process.versions.node }, version));
}
