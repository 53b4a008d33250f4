/** `svc-service alerts`: what is wrong now, at a running service through its admin API. */
import type { Command } from 'commander';
import { adminService } from '#sdk/cli/environment';
import { wholeNumberFrom } from '#sdk/cli/options';
import { serviceRequest } from '#sdk/cli/service-request';
import type { Terminal } from '#sdk/cli/terminal';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import type { AlertsPage } from '#sdk/protocol/alert-schemas';

interface ListFlags {
  url?: string;
  ended?: true;
}

interface MuteFlags {
  url?: string;
  hours?: number;
}

const HEAD = ['id', 'since', 'severity', 'alert'];
const HOUR_MS = 3_600_000;
const MAX_HOURS = 8_760;

export function addAlertsCommand(program: Command, terminal: Terminal): void {
  const alerts = program
    .command('alerts')
    .description('Show what is wrong at a running service, and mute it (SVC_BASE_URL, SVC_ADMIN_API_KEY)');
  alerts
    .command('list')
    .description('List the alerts, newest first')
    .option('--ended', 'those that are over')
    .option('--url <url>', 'the service (default: SVC_BASE_URL)')
    .action((flags: ListFlags) => listAlerts(terminal, flags));
  alerts
    .command('mute')
    .description('Mute an alert: it is neither shown nor sent until it is over')
    .argument('<id>', 'alr_…, from alerts list')
    .option('--hours <number>', 'only for so long', wholeNumberFrom(1, MAX_HOURS))
    .option('--url <url>', 'the service (default: SVC_BASE_URL)')
    .action((id: string, flags: MuteFlags) => muteAlert(terminal, id, flags));
}

async function muteAlert(terminal: Terminal, id: string, { url, hours }: MuteFlags): Promise<void> {
  const until = hours === undefined ? undefined : new Date(Date.now() + hours * HOUR_MS).toISOString();
  const path = `${ADMIN_PATHS.alerts}/${encodeURIComponent(id)}/mute`;
  await serviceRequest(adminService(url), 'POST', path, until === undefined ? {} : { until });
  terminal.show(
    { muted: id, ...(until !== undefined && { until }) },
    `Muted ${until === undefined ? 'until it is over' : `until ${until}`}`,
  );
}

async function listAlerts(terminal: Terminal, { url, ended }: ListFlags): Promise<void> {
  const path = `${ADMIN_PATHS.alerts}?state=${ended ? 'ended' : 'open'}&limit=200`;
  const { alerts } = await serviceRequest<AlertsPage>(adminService(url), 'GET', path);
  const rows = alerts.map(({ id, since, severity, text }) => [id, since.slice(0, 16).replace('T', ' '), severity, text]);
  const whenEmpty = ended ? 'No alert ended in the last 30 days' : 'Nothing is wrong';
  terminal.showList({ alerts }, [HEAD, ...rows], { whenEmpty, cut: [3] });
}
