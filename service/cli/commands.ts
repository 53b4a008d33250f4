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
  commands: {
    demo: addDemoCommand,
    serve: addServeCommand,
    run: addRunCommand,
    dev: addDevCommand,
    keys: addKeysCommand,
    people: addPeopleCommand,
    connections: addConnectionsCommand,
    alerts: addAlertsCommand,
    evidence: addEvidenceCommand,
    backup: addBackupCommand,
    export: addExportCommand,
    import: addImportCommand,
    migrate: addMigrateCommand,
    lint: addLintCommand,
    add: addAddCommand,
    toolkits: addImportedToolkitsCommand,
    logs: addLogsCommand,
    ledger: addLedgerCommand,
    completions: addCompletionsCommand,
    version: addVersionCommand,
  },
  more: 'Commands that need only a key, such as search and invoke: npx svc-sdk --help',
};
