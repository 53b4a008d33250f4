/** The options that the service was started with, read-only. */
import { Code, Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import { type Column, DataTable } from '../../parts/data-table';
import { Folded } from '../../parts/folded';
import { Section } from '../../parts/section';
import { type FixedSetting, fixedGroups, humanValue } from './fixed-groups';

const COLUMNS: Column<FixedSetting>[] = [
  {
    title: 'Name',
    className: 'fixed-name',
    cell: ({ name }) => (
      <span className="ids">
        <Breakable text={name} />
      </span>
    ),
  },
  {
    title: 'Value',
    className: 'fixed-value',
    cell: ({ name, value, meaning }) => (
      <>
        <span className="ids fixed-figure" title={value}>
          {humanValue({ name, value, meaning })}
        </span>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {meaning}
        </Text>
      </>
    ),
  },
  {
    title: 'Meaning',
    from: 'sm',
    cell: ({ meaning }) => (
      <Text size="sm" c="dimmed">
        {meaning}
      </Text>
    ),
  },
];

export function FixedSettings({ fixed }: { fixed: readonly FixedSetting[] }) {
  return (
    <Section
      title="Set at startup (read-only)"
      description={
        <>
          Change these with flags of <Code>svc-service serve</Code> and a restart: <Code>svc-service serve --help</Code> lists them, such as{' '}
          <Code>--limit payloadBytes=2097152</Code>. docs/limits.md in the package explains every limit.
        </>
      }
    >
      <Stack gap="xs">
        {fixedGroups(fixed).map(({ title, settings }) => (
          <Folded key={title} label={`${title} (${settings.length})`}>
            <DataTable
              label={`${title}, set at startup`}
              rows={settings}
              rowKey={({ name }) => name}
              columns={COLUMNS}
              verticalSpacing={7}
              className="fixed-settings"
            />
          </Folded>
        ))}
      </Stack>
    </Section>
  );
}

/** A name such as `requestBodyBytes` breaks between its words. */
function Breakable({ text }: { text: string }) {
  return text.split(/(?=[A-Z])/).map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the words of one name keep their order
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {word}
    </Fragment>
  ));
}
