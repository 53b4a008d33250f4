import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { connectedAppsQuery } from '../../api/connected-apps';
import { ConnectedAppTable } from '../../parts/connected-app-table';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';

export function OwnApps({ personId }: { personId: string }) {
  const apps = useQuery(connectedAppsQuery);
  return (
    <Section
      title="Connected apps"
      description="Apps that search and call actions in your name, such as Claude or an editor."
      aside={
        <Button variant="default" renderRoot={(props) => <Link to="/connect" {...props} />}>
          Connect a client
        </Button>
      }
    >
      <QueryView query={apps} rows={1}>
        {({ apps: all }) => <ConnectedAppTable apps={all.filter(({ owner }) => owner === undefined || owner.id === personId)} />}
      </QueryView>
    </Section>
  );
}
