/** `svc-service alerts`: what is wrong now, at a running service through its admin API. */
import type { Command } from 'commander';
import { adminService } from '#sdk/cli/environment';
import { serviceRequest } from '#sdk/cli/service-request';
import type { Terminal } from '#sdk/cli/terminal';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import type { AlertsPage } from '#sdk/protocol/alert-schemas';

interface ListFlags {
  url?: string;
  ended?: true;
}

const HEAD = ['since', 'severity', 'alert'];

export function addAlertsCommand(program: Command, terminal: Terminal): void {
  program
    .command('alerts')
    .description('Show what is wrong at a running service (SVC_BASE_URL, SVC_ADMIN_API_KEY)')
    .command('list')
    .description('List the alerts, newest first')
    .option('--ended', 'those that are over')
    .option('--url <url>', 'the service (default: SVC_BASE_URL)')
    .action((flags: ListFlags) => listAlerts(terminal, flags));
}

async function listAlerts(terminal: Terminal, { url, ended }: ListFlags): Promise<void> {
  const path = `${ADMIN_PATHS.alerts}?state=${ended ? 'ended' : 'open'}&limit=200`;
  const { alerts } = await serviceRequest<AlertsPage>(adminService(url), 'GET', path);
  const rows = alerts.map(({ since, severity, text }) => [since.slice(0, 16).replace('T', ' '), severity, text]);
  const whenEmpty = ended ? 'No alert ended in the last 30 days' : 'Nothing is wrong';
  terminal.showList({ alerts }, [HEAD, ...rows], { whenEmpty, cut: [2] });
}
