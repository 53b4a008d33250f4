/** The question to the person, until they have answered it. */
import { Button, Divider, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { Me, Person } from '#sdk/protocol/admin';
import { allowApp, denyApp, type WaitingApp } from '../../api/oauth-requests';
import { CardPage } from '../../parts/card-page';
import { FormError } from '../../parts/form-error';
import { useSettled } from '../../parts/use-settled';
import { checkBudget, readBudget, toBudgetValues } from '../keys/budget-form';
import { checkScope, readLimit } from '../keys/key-form';
import { type ScopeRow, toAllowList } from '../keys/key-scope';
import { AppFacts } from './app-facts';
import { Decided } from './decided';
import { KeptLimits } from './kept-limits';
import { LimitInputs } from './limit-inputs';
import { useSignInFirst } from './sign-in-first';

export interface ConsentFormProps {
  query: string;
  me: Me;
  person: Pick<Person, 'id' | 'name' | 'email'>;
  app: WaitingApp;
}

export function ConsentForm({ query, me, person, app }: ConsentFormProps) {
  const form = useForm({
    initialValues: {
      kind: 'agent' as const,
      rows: null as ScopeRow[] | null,
      callsPerMinute: '' as number | string,
      budget: toBudgetValues(),
    },
    validate: { rows: checkScope, budget: checkBudget },
  });
  const isSettled = useSettled();
  const decide = useMutation({
    mutationFn: (answer: () => Promise<{ redirect: string }>) => answer(),
    // The address has a code in it: it takes the place of this page in the history.
    onSuccess: ({ redirect }) => window.location.replace(redirect),
  });
  if (useSignInFirst(decide.error)) return null;
  if (decide.data) return <Decided redirect={decide.data.redirect} />;

  const allow = form.onSubmit(({ rows, callsPerMinute, budget: asked }) => {
    const limit = readLimit(callsPerMinute);
    const budget = readBudget(asked);
    const limits = {
      ...(rows && { allow: toAllowList(rows) }),
      ...(limit !== undefined && { callsPerMinute: limit }),
      ...(budget && { budget }),
    };
    decide.mutate(() => allowApp(query, app, limits));
  });
  return (
    <CardPage title="Allow this app to use your tools?" width="34rem">
      <form onSubmit={allow} noValidate>
        <Stack gap="lg">
          <AppFacts app={app} person={person} />
          <Text size="sm">
            It can find actions and call them in your name, {app.key ? 'as far as its key allows it' : 'as far as you allow it here'}. Its
            calls appear in the console under its key. To end this, select Disconnect on the page of your account: it stops within a second.
          </Text>
          <Divider />
          {app.key ? <KeptLimits appKey={app.key} currency={me.currency} /> : <LimitInputs form={form} />}
          <FormError error={decide.error} />
          <Group grow preventGrowOverflow={false}>
            <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate(() => denyApp(query))}>
              Deny
            </Button>
            <Button type="submit" disabled={!isSettled} loading={decide.isPending}>
              Allow
            </Button>
          </Group>
        </Stack>
      </form>
    </CardPage>
  );
}
