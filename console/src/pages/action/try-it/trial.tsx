/** The place to try an action. What it needs is loaded when somebody wants to: most only read. */
import { Button, Code, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { ActionReport } from '../../../../../src/protocol/admin';
import { useAgentKeys } from '../../../api/agent-keys';
import { NoAgentKey } from '../../../parts/no-agent-key';
import { QueryView } from '../../../parts/query-view';
import { Section } from '../../../parts/section';

const load = () => Promise.all([import('./try-it'), import('./form/payload-form')]);
const TryIt = lazy(() => load().then(([{ TryIt }]) => ({ default: TryIt })));

export function Trial({ report }: { report: ActionReport }) {
  const keys = useAgentKeys();
  const [opened, { open }] = useDisclosure();
  return (
    <QueryView query={keys}>
      {([first, ...others]) =>
        first ? (
          <Section title="Try it" description="A real call with all its effects, recorded and counted like any other of the agent key.">
            {opened ? (
              <Suspense fallback={<Skeleton height={240} aria-label="Loading" />}>
                <TryIt report={report} keys={[first, ...others]} />
              </Suspense>
            ) : (
              <Button onClick={open} onPointerEnter={() => void load()}>
                Fill in a payload
              </Button>
            )}
          </Section>
        ) : (
          <NoAgentKey
            purpose={
              <>
                Get an agent key to try <Code>{report.action}</Code> from here, as its agent would.
              </>
            }
          />
        )
      }
    </QueryView>
  );
}
