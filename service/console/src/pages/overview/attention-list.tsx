/** The alerts of now, on top of the overview. It is empty while all is well. */
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { alertsQuery } from '../../api/alerts';
import { AlertList } from '../../parts/alert-list';
import { Section } from '../../parts/section';

const SHOWN = 5;

export function AttentionList() {
  const { data } = useQuery(alertsQuery('open'));
  if (!data || data.alerts.length === 0) return null;
  const rest = data.alerts.length - SHOWN;
  return (
    <Section
      title="Attention"
      aside={
        <Anchor renderRoot={(props) => <Link to="/alerts" {...props} />} size="sm">
          {rest > 0 ? `${rest} more` : 'All alerts'}
        </Anchor>
      }
    >
      <AlertList alerts={data.alerts.slice(0, SHOWN)} />
    </Section>
  );
}
