/** One action: its description, its parameters, its numbers, and a form to try it. */
import { Anchor, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconActivity } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ActionReport } from '#sdk/protocol/admin';
import type { JsonSchema } from '#sdk/protocol/http';
import { toType } from '#sdk/protocol/to-type';
import { actionReportQuery } from '../../api/reports';
import { ApiError } from '../../api/request';
import { ActionStateBadge } from '../../parts/action-state-badge';
import { AnnotationBadges } from '../../parts/annotation-badges';
import { CodeBlock } from '../../parts/code-block';
import { DayFigures } from '../../parts/day-figures';
import { FindingList } from '../../parts/finding-list';
import { HeldNotice } from '../../parts/held-notice';
import { HowItIsFound } from '../../parts/listing/how-it-is-found';
import { Page } from '../../parts/page';
import { PriceBadge } from '../../parts/price-badge';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { NoAction } from './no-action';
import { ParameterTable } from './parameter-table';
import { Trial } from './try-it/trial';

const route = getRouteApi('/signed-in/actions/$id');

export function ActionPage() {
  const { id } = route.useParams();
  const { call } = route.useSearch();
  const report = useQuery(actionReportQuery(id));
  if (report.error instanceof ApiError && report.error.status === 404)
    return (
      <Page title="Action">
        <NoAction id={id} />
      </Page>
    );
  return (
    <Page
      title={id}
      description={report.data && <Belongs report={report.data} />}
      actions={
        report.data?.day && (
          <Button
            variant="default"
            leftSection={<IconActivity size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/calls" search={{ action: id }} {...props} />}
          >
            View calls
          </Button>
        )
      }
    >
      <QueryView query={report} failed="Could not load this action">
        {(data) => (
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, lg: 7 }} order={{ base: 2, lg: 1 }}>
              <About report={data} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 5 }} order={{ base: 1, lg: 2 }}>
              {/* The key remounts the form for another action, or another call to repeat. */}
              <Trial key={`${data.action} ${call}`} report={data} callId={call} />
            </Grid.Col>
          </Grid>
        )}
      </QueryView>
    </Page>
  );
}

function Belongs({ report }: { report: ActionReport }) {
  const { toolkit, annotations, payment } = report;
  return (
    <Group gap="xs" component="span">
      <span>
        An action of{' '}
        <Anchor inherit underline="always" renderRoot={(props) => <Link to="/toolkits/$id" params={{ id: toolkit }} {...props} />}>
          {toolkit}
        </Anchor>
      </span>
      <ActionStateBadge report={report} />
      <AnnotationBadges annotations={annotations} />
      <PriceBadge payment={payment} />
    </Group>
  );
}

function About({ report: { action, description, payloadSchema, resultSchema, held, rejection, day, findings } }: { report: ActionReport }) {
  return (
    <Stack gap="lg">
      {held && <HeldNotice held={held} rejection={rejection} />}
      {day && <DayFigures day={day} />}
      <Section title="Description" description="The text that agents read.">
        <Text size="sm" className="written">
          {description}
        </Text>
      </Section>
      <Section title="Parameters">
        <ParameterTable schema={payloadSchema} />
        <RawSchema schema={payloadSchema} label="JSON Schema of the payload" />
      </Section>
      {resultSchema && (
        <Section title="Result" description="The type of what a call gives back. A result of another type arrives all the same.">
          <CodeBlock code={toType(resultSchema)} label="Type of the result" />
          <RawSchema schema={resultSchema} label="JSON Schema of the result" />
        </Section>
      )}
      {findings.length > 0 && (
        <Section title="Suggestions" description="From the description linter.">
          <FindingList findings={findings} />
        </Section>
      )}
      {day && <HowItIsFound of={{ action }} actions={[action]} />}
    </Stack>
  );
}

function RawSchema({ schema, label }: { schema: JsonSchema; label: string }) {
  const [opened, { toggle }] = useDisclosure();
  return (
    <>
      <Button variant="subtle" color="gray" size="compact-sm" mt="sm" onClick={toggle} aria-expanded={opened}>
        {opened ? 'Hide JSON Schema' : 'Show JSON Schema'}
      </Button>
      {opened && <CodeBlock code={JSON.stringify(schema, null, 2)} label={label} />}
    </>
  );
}
