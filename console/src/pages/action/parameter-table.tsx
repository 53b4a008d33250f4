import { Code, Group, ScrollArea, Table, Text } from '@mantine/core';
import type { JsonSchema } from '../../../../src/protocol/http';
import { type Parameter, parametersOf } from '../../parts/parameters';

export function ParameterTable({ schema }: { schema: JsonSchema }) {
  const { rows, cut } = parametersOf(schema);
  if (rows.length === 0)
    return (
      <Text size="sm" className="written">
        {typeof schema.description === 'string' ? schema.description : 'No parameters.'}
      </Text>
    );
  return (
    <>
      <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Parameters' }}>
        <Table verticalSpacing="sm" miw={300} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Parameter</Table.Th>
              <Table.Th scope="col">Description</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.path}>
                <Table.Td valign="top">
                  <Text size="sm" fw={600} className="ids" pl={`${row.depth * 0.75}rem`}>
                    {row.path}
                  </Text>
                  <Text size="xs" c="dimmed" pl={`${row.depth * 0.75}rem`}>
                    {row.type}
                    {row.required ? ', required' : ''}
                  </Text>
                </Table.Td>
                <Table.Td valign="top">
                  <About row={row} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
      {cut && (
        <Text size="xs" c="dimmed" mt="xs">
          Not all parameters are listed. The JSON Schema below has all of them.
        </Text>
      )}
    </>
  );
}

function About({ row: { description, choices, bounds, default: fallback } }: { row: Parameter }) {
  if (!description && !choices && bounds.length === 0 && fallback === undefined)
    return (
      <Text size="sm" c="dimmed">
        No description
      </Text>
    );
  return (
    <>
      {description && (
        <Text size="sm" className="written">
          {description}
        </Text>
      )}
      {choices && (
        <Group gap={4} mt={4}>
          <Text size="xs" c="dimmed">
            One of
          </Text>
          {choices.map((choice) => (
            <Code key={choice} className="ids">
              {choice}
            </Code>
          ))}
        </Group>
      )}
      {(bounds.length > 0 || fallback !== undefined) && (
        <Text size="xs" c="dimmed" mt={4} className="written">
          {[...bounds, ...(fallback === undefined ? [] : [`default ${fallback}`])].join(', ')}
        </Text>
      )}
    </>
  );
}
