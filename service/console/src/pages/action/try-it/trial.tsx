/** Runs an action from its page. The code is loaded on demand, because most people only read. */
import { Button, Code, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { ActionReport, OwnedKey } from '#sdk/protocol/admin';
import { useAgentKeys } from '../../../api/agent-keys';
import { callQuery } from '../../../api/invocations';
import { NoAgentKey } from '../../../parts/no-agent-key';
import { QueryView } from '../../../parts/query-view';
import { Section } from '../../../parts/section';
import { formerCallOf } from './former-call';

const load = () => Promise.all([import('./try-it'), import('./form/payload-form')]);
const TryIt = lazy(() => load().then(([{ TryIt }]) => ({ default: TryIt })));

export interface TrialProps {
  report: ActionReport;
  /** Id of the call to repeat. */
  callId: string | undefined;
}

export function Trial({ report, callId }: TrialProps) {
  const keys = useAgentKeys();
  const [opened, { open }] = useDisclosure();
  return (
    <QueryView query={keys}>
      {([first, ...others]) =>
        first ? (
          <Section
            title="Try it"
            description="Makes a real call with all its effects, recorded and counted like any other call of the agent key."
          >
            {callId !== undefined ? (
              <TryAgain report={report} keys={[first, ...others]} callId={callId} />
            ) : opened ? (
              <Suspense fallback={<Loading />}>
                <TryIt report={report} keys={[first, ...others]} takesFocus />
              </Suspense>
            ) : (
              <Button onClick={open} onPointerEnter={() => void load()}>
                Open the form
              </Button>
            )}
          </Section>
        ) : (
          <NoAgentKey
            purpose={
              <>
                Create an agent key to try <Code>{report.action}</Code> here.
              </>
            }
          />
        )
      }
    </QueryView>
  );
}

function TryAgain({ report, keys, callId }: { report: ActionReport; keys: readonly [OwnedKey, ...OwnedKey[]]; callId: string }) {
  const call = useQuery(callQuery(callId));
  if (call.isPending) return <Loading />;
  const former = call.data && formerCallOf(call.data);
  return (
    <Stack gap="md">
      <Text size="sm">
        {!former
          ? 'The payload of that call is no longer stored.'
          : former.isRedacted
            ? 'This is the payload of that call. Replace [redacted], which was not stored.'
            : 'This is the payload of that call.'}
      </Text>
      <Suspense fallback={<Loading />}>
        <TryIt report={report} keys={keys} former={former} />
      </Suspense>
    </Stack>
  );
}

function Loading() {
  return <Skeleton height={240} aria-label="Loading" />;
}
