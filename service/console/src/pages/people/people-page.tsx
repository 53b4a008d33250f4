import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Me } from '#sdk/protocol/admin';
import { connectedAppsQuery } from '../../api/connected-apps';
import { invitationsQuery } from '../../api/invitations';
import { meQuery } from '../../api/me';
import { peopleQuery } from '../../api/people';
import { ConnectedAppTable } from '../../parts/connected-app-table';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { InvitationTable } from './invitation-table';
import { InviteModal } from './invite-modal';
import { PeopleTable } from './people-table';

export function AllPeoplePage() {
  const { data: me } = useSuspenseQuery(meQuery);
  if (me.role === 'owner') return <OwnersPage me={me} />;
  return (
    <Page title="People">
      <EmptyState
        title="Only owners can see this"
        action={
          <Button variant="default" renderRoot={(props) => <Link to="/account" {...props} />}>
            Your own account
          </Button>
        }
      >
        Owners invite people, change roles and create password reset links. Ask an owner if you need one of these.
      </EmptyState>
    </Page>
  );
}

function OwnersPage({ me }: { me: Me }) {
  const people = useQuery(peopleQuery);
  const invitations = useQuery(invitationsQuery);
  const apps = useQuery(connectedAppsQuery);
  const [inviting, { open, close }] = useDisclosure();
  return (
    <Page
      title="People"
      description="Owners can see and change everything. Members have their own keys and toolkits, and see the calls of both."
      actions={
        <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={open}>
          Invite
        </Button>
      }
    >
      <Stack gap="xl">
        <QueryView query={people}>{({ people: all }) => <PeopleTable people={all} meId={me.person?.id} />}</QueryView>
        <Section title="Pending invitations" description="One-time links that have not been used yet.">
          <QueryView query={invitations} rows={1}>
            {({ invitations: open }) => <InvitationTable invitations={open} people={people.data?.people ?? []} />}
          </QueryView>
        </Section>
        <Section title="Connected apps" description="Apps that act for people. The settings say who may connect which apps.">
          <QueryView query={apps} rows={1}>
            {({ apps: all }) => <ConnectedAppTable apps={all} withOwner />}
          </QueryView>
        </Section>
      </Stack>
      {inviting && <InviteModal onClose={close} />}
    </Page>
  );
}
