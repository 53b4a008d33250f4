/** What the service was started with: read here, changed where it is started. */
import { Code, Table, Text } from '@mantine/core';
import type { SettingsPage } from '../../../../src/protocol/admin';
import { Section } from '../../parts/section';

export function FixedSettings({ fixed }: { fixed: SettingsPage['fixed'] }) {
  return (
    <Section
      title="Fixed at the start"
      description={
        <>
          These are given to <Code>svc-sdk serve</Code> and need a new start: <Code>svc-sdk serve --help</Code> lists the flags, such as{' '}
          <Code>--limit payloadBytes=2097152</Code>. docs/limits.md in the package tells every limit.
        </>
      }
    >
      <Table verticalSpacing={7}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Name</Table.Th>
            <Table.Th scope="col">Value</Table.Th>
            <Table.Th scope="col" visibleFrom="sm">
              Meaning
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fixed.map(({ name, value, meaning }) => (
            <Table.Tr key={name}>
              <Table.Td className="ids">{name}</Table.Td>
              <Table.Td>
                <span className="ids">{value}</span>
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
