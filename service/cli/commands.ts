/** The commands of `svc-service`: to serve, to import, to operate a service. */
import { addCompletionsCommand } from '#sdk/cli/completions';
import type { Cli } from '#sdk/cli/run-cli';
import { addVersionCommand } from '#sdk/cli/version';
import { addAddCommand } from './add';
import { addAlertsCommand } from './alerts';
import { addBackupCommand } from './backup';
import { addConnectionsCommand } from './connections';
import { addDemoCommand } from './demo';
import { addDevCommand } from './dev';
import { addEvidenceCommand } from './evidence';
import { addExportCommand } from './export';
import { addImportCommand } from './import';
import { addImportedToolkitsCommand } from './imported-toolkits';
import { addKeysCommand } from './keys';
import { addLedgerCommand } from './ledger';
import { addLintCommand } from './lint';
import { addLogsCommand } from './logs';
import { addMigrateCommand } from './migrate';
import { addPeopleCommand } from './people';
import { addRunCommand } from './run';
import { addServeCommand } from './serve';

export const SERVICE_CLI: Cli = {
  name: 'svc-service',
  description: 'A marketplace of tools for AI agents that anyone can run.',
  commands: [
    addDemoCommand,
    addServeCommand,
    addRunCommand,
    addDevCommand,
    addKeysCommand,
    addPeopleCommand,
    addConnectionsCommand,
    addAlertsCommand,
    addEvidenceCommand,
    addBackupCommand,
    addExportCommand,
    addImportCommand,
    addMigrateCommand,
    addLintCommand,
    addAddCommand,
    addImportedToolkitsCommand,
    addLogsCommand,
    addLedgerCommand,
    addCompletionsCommand,
    addVersionCommand,
  ],
  more: 'Commands that need only a key, such as search and invoke: npx svc-sdk --help',
};
