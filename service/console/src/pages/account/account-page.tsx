import { Alert, DataList, SimpleGrid, Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { consoleQuery, meQuery } from '../../api/me';
import { Page } from '../../parts/page';
import { Section } from '../../parts/section';
import { OwnApps } from './own-apps';
import { Passkeys } from './passkeys';
import { PasswordChange } from './password-change';
import { ProviderLogin } from './provider-login';
import { Publisher } from './publisher';
import { AccountSessions } from './sessions';

export function AccountPage() {
  const { data: me } = useSuspenseQuery(meQuery);
  const { data: info } = useQuery(consoleQuery);
  const { person } = me;
  if (!person)
    return (
      <Page title="Your account">
        <Alert color="gray">You are using an admin key, which has no account.</Alert>
      </Page>
    );
  return (
    <Page title="Your account" description="Your profile, how you sign in, and the apps that act for you.">
      <Stack gap="lg">
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" verticalSpacing="lg">
          <Section title="Profile">
            <DataList withDivider labelWidth="6rem">
              {[
                ['Name', person.name],
                ['E-mail', person.email],
                ['Role', me.role],
              ].map(([label, value]) => (
                <DataList.Item key={label}>
                  <DataList.ItemLabel>{label}</DataList.ItemLabel>
                  <DataList.ItemValue className="names">{value}</DataList.ItemValue>
                </DataList.Item>
              ))}
            </DataList>
          </Section>
          <PasswordChange email={person.email} />
        </SimpleGrid>
        {info?.signIn.passkeys && <Passkeys />}
        {info?.signIn.oidc && <ProviderLogin name={info.signIn.oidc.name} />}
        <Publisher me={me} />
        <OwnApps personId={person.id} />
        <AccountSessions />
      </Stack>
    </Page>
  );
}
