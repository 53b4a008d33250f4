/** Read-only: the options that the service was started with. */
import { Code, Table, Text } from '@mantine/core';
import { Fragment } from 'react';
import type { SettingsPage } from '../../../../src/protocol/admin';
import { Section } from '../../parts/section';

export function FixedSettings({ fixed }: { fixed: SettingsPage['fixed'] }) {
  return (
    <Section
      title="Set at startup (read-only)"
      description={
        <>
          Change these with flags of <Code>svc-sdk serve</Code> and a restart: <Code>svc-sdk serve --help</Code> lists them, such as{' '}
          <Code>--limit payloadBytes=2097152</Code>. docs/limits.md in the package explains every limit.
        </>
      }
    >
      <Table verticalSpacing={7} className="fixed-settings">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" className="fixed-name">
              Name
            </Table.Th>
            <Table.Th scope="col" className="fixed-value">
              Value
            </Table.Th>
            <Table.Th scope="col" visibleFrom="sm">
              Meaning
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fixed.map(({ name, value, meaning }) => (
            <Table.Tr key={name}>
              <Table.Td className="ids">
                <Breakable text={name} />
              </Table.Td>
              <Table.Td>
                <span className="ids fixed-figure">{value}</span>
                <Text size="xs" c="dimmed" hiddenFrom="sm">
                  {meaning}
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Text size="sm" c="dimmed">
                  {meaning}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
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
