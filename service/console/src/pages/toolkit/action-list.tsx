import { Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ActionReport, CallCounts } from '#sdk/protocol/admin';
import { ActionStateBadge } from '../../parts/action-state-badge';
import { AnnotationBadges } from '../../parts/annotation-badges';
import { FindingList } from '../../parts/finding-list';
import { formatMs, formatPercent, formatPlural } from '../../parts/format';
import { PriceBadge } from '../../parts/price-badge';

export function ToolkitActionList({ actions }: { actions: readonly ActionReport[] }) {
  if (actions.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No actions yet.
      </Text>
    );
  return (
    <Stack gap="sm">
      {actions.map((report) => (
        <ActionCard key={report.action} report={report} />
      ))}
    </Stack>
  );
}

function ActionCard({ report }: { report: ActionReport }) {
  const { action: id, description, annotations, payment, day, findings } = report;
  return (
    <Paper withBorder p="md" component="article">
      <Group justify="space-between" gap="xs" mb={4}>
        <Group gap="xs">
          <Anchor fw={600} className="ids" renderRoot={(props) => <Link to="/actions/$id" params={{ id }} {...props} />}>
            {id}
          </Anchor>
          <ActionStateBadge report={report} />
          <AnnotationBadges annotations={annotations} />
          <PriceBadge payment={payment} />
        </Group>
        {day && (
          <Text size="sm" c="dimmed" className="numbers">
            {said(day)}
          </Text>
        )}
      </Group>
      <Text size="sm" lineClamp={4} className="written">
        {description}
      </Text>
      {findings.length > 0 && (
        <Stack mt="sm" gap={0}>
          <FindingList findings={findings} />
        </Stack>
      )}
    </Paper>
  );
}

/** Calls of the last day in one line. */
function said({ calls, errors, p95Ms }: CallCounts): string {
  if (calls === 0) return 'no calls in the last 24 hours';
  const failed = errors > 0 ? [`${formatPlural(errors, 'error')} (${formatPercent(errors, calls)})`] : [];
  return [formatPlural(calls, 'call'), ...failed, ...(p95Ms === undefined ? [] : [`p95 ${formatMs(p95Ms)}`])].join(' · ');
}
