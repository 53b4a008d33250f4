/** The app that asks, the place where the answer goes, and the person for whom the app would act. */
import { Box, Button, DataList, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Person } from '#sdk/protocol/admin';
import type { WaitingApp } from '../../api/oauth-requests';
import { signOut } from '../../api/sign-in';
import { appPlace } from '../../parts/app-words';
import { FormError } from '../../parts/form-error';
import { openSignIn } from './sign-in-first';

export interface AppFactsProps {
  app: WaitingApp;
  person: Pick<Person, 'name' | 'email'>;
}

export function AppFacts({ app: { client, redirectTo, keyName }, person }: AppFactsProps) {
  const leave = useMutation({ mutationFn: signOut, onSuccess: openSignIn });
  return (
    <Stack gap="md">
      <Box className="asking-app">
        <Text fw={700} size="xl" className="names">
          {titled(appPlace(client.host))}
        </Text>
        <Text size="sm" className="names">
          <AppName client={client} />
        </Text>
      </Box>
      <DataList labelWidth="8rem">
        <Fact label="Answer goes to">{appPlace(redirectTo)}</Fact>
        <Fact label="Its key">{keyName}</Fact>
        <Fact label="You are">
          <Stack gap={4} align="flex-start">
            <span>
              {person.name} ({person.email})
            </span>
            <Button variant="subtle" size="compact-sm" ml={-8} loading={leave.isPending || leave.isSuccess} onClick={() => leave.mutate()}>
              Use another account
            </Button>
            <FormError error={leave.error} />
          </Stack>
        </Fact>
      </DataList>
    </Stack>
  );
}

function AppName({ client: { name, host, document } }: Pick<WaitingApp, 'client'>) {
  if (document !== undefined)
    return (
      <>
        <b>{name}</b>, as {host} itself says
      </>
    );
  if (name === host) return 'It gives no name.';
  return (
    <>
      It says it is <b>{name}</b>. This is not verified.
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue className="names">{children}</DataList.ItemValue>
    </DataList.Item>
  );
}

function titled(words: string): string {
  return words.startsWith('an ') ? `A${words.slice(1)}` : words;
}
