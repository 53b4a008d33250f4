/** The commands of `svc-sdk`: what needs an address and a key, and nothing of the service. */
import { addActionsCommand } from './actions';
import { addApprovalsCommand } from './approvals';
import { addCompletionsCommand } from './completions';
import { addExplainCommand } from './explain';
import { addInitCommand } from './init';
import { addInvokeCommand } from './invoke';
import type { Cli } from './run-cli';
import { addSearchCommand } from './search';
import { addToolkitsCommand } from './toolkits';
import { addVersionCommand } from './version';

export const SDK_CLI: Cli = {
  name: 'svc-sdk',
  description: 'Tools for AI agents: find, call and explain the actions of a running service.',
  commands: {
    init: addInitCommand,
    search: addSearchCommand,
    invoke: addInvokeCommand,
    explain: addExplainCommand,
    toolkits: addToolkitsCommand,
    actions: addActionsCommand,
    approvals: addApprovalsCommand,
    completions: addCompletionsCommand,
    version: addVersionCommand,
  },
  more: 'Commands that serve, import or look after a service: npx svc-service --help',
};
