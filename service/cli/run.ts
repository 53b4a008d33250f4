/** `svc-service run`: serves the toolkits of a toolkits.yaml, beside a service. */
import type { Command } from 'commander';
import type { Terminal } from '#sdk/cli/terminal';
import { addOptionalPlaceFlags, type PlaceFlags } from './place';

export function addRunCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('run')
    .description('Serve the toolkits of a toolkits.yaml: MCP servers and OpenAPI documents, as they were approved')
    .argument('[file]', 'its entries; a change of the file is served at once', 'toolkits.yaml')
    .addHelpText(
      'after',
      `
The service is at SVC_BASE_URL. Toolkit keys are in SVC_TOOLKIT_KEYS
(files=svc_toolkit_…,shop=svc_toolkit_…); for the other entries --data,
--database or SVC_ADMIN_API_KEY makes keys that end with this command.`,
    )
    .action(async (file: string, flags: PlaceFlags) => (await import('./run/run-toolkits')).runToolkits(terminal, file, flags));
  addOptionalPlaceFlags(command, 'data directory of the service, to make keys');
}
