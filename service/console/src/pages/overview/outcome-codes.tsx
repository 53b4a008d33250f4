/** The outcomes of the calls in a range, most frequent first; each links to its calls. */
import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { StatsSeries } from '#sdk/protocol/admin';
import { callLogTimesOf, type Stretch } from '../../api/spans';
import { formatCount, formatPercent, formatPlural } from '../../parts/format';
import { OutcomeBadge } from '../../parts/outcome-badge';
import { Section } from '../../parts/section';
import type { CallSubject } from './call-subjects';

export interface OutcomeCodesProps {
  series: StatsSeries;
  stretch: Stretch;
  subject: CallSubject;
}

export function OutcomeCodes({ series: { codes, total }, stretch, subject: { mine, suffix } }: OutcomeCodesProps) {
  const whose = mine === undefined ? {} : { mine };
  if (codes.length === 0) return null;
  return (
    <Section title={`Outcomes${suffix}`}>
      <Group component="ul" className="plain-list" gap="lg">
        {codes.map(({ code, calls }) => (
          <Group key={code} component="li" gap={8} wrap="nowrap">
            <OutcomeBadge code={code} />
            <Anchor
              c="inherit"
              size="sm"
              className="numbers"
              aria-label={`${formatPlural(calls, 'call')} with ${code}`}
              renderRoot={(props) => <Link to="/calls" search={{ ...whose, outcome: code, ...callLogTimesOf(stretch) }} {...props} />}
            >
              {formatCount(calls)}
            </Anchor>
            <Text size="sm" c="dimmed" className="numbers">
              {formatPercent(calls, total.calls)}
            </Text>
          </Group>
        ))}
      </Group>
    </Section>
  );
}
