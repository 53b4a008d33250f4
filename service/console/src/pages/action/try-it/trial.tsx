/** Runs an action from its page. The code is loaded on demand, because most people only read. */
import { Button, Code, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useId } from 'react';
import type { ActionReport, OwnedKey } from '#sdk/protocol/admin';
import { agentKeyQuery } from '../../../api/agent-keys';
import { callQuery } from '../../../api/invocations';
import { HELD_REASONS, type Held } from '../../../parts/held-words';
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
  const agent = useQuery(agentKeyQuery());
  const [opened, { open }] = useDisclosure();
  if (report.held) return <HeldTrial held={report.held} />;
  return (
    <QueryView query={agent}>
      {(first) =>
        first ? (
          <Section
            title="Try it"
            description="Makes a real call with all its effects, recorded and counted like any other call of the agent key."
          >
            {callId !== undefined ? (
              <TryAgain report={report} agent={first} callId={callId} />
            ) : opened ? (
              <Suspense fallback={<Loading />}>
                <TryIt report={report} agent={first} takesFocus />
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

/** The form is off: the service refuses every call of the action. */
function HeldTrial({ held }: { held: Held }) {
  const reason = useId();
  return (
    <Section title="Try it">
      <Stack gap="xs" align="flex-start">
        <Button disabled aria-describedby={reason}>
          Open the form
        </Button>
        <Text size="sm" c="dimmed" id={reason}>
          A call would be refused. {HELD_REASONS[held]}
        </Text>
      </Stack>
    </Section>
  );
}

function TryAgain({ report, agent, callId }: { report: ActionReport; agent: OwnedKey; callId: string }) {
  const call = useQuery(callQuery(callId));
  const caller = useQuery({ ...agentKeyQuery(call.data?.key.id), enabled: call.data !== undefined });
  if (call.isPending || (call.data !== undefined && caller.isPending)) return <Loading />;
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
        <TryIt report={report} agent={caller.data ?? agent} former={former} />
      </Suspense>
    </Stack>
  );
}

function Loading() {
  return <Skeleton height={240} aria-label="Loading" />;
}
