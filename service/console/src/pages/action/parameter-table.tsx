import { Code, Group, Text } from '@mantine/core';
import type { JsonSchema } from '#sdk/protocol/http';
import { type Column, DataTable } from '../../parts/data-table';
import { type Parameter, parametersOf } from '../../parts/parameters';

const COLUMNS: Column<Parameter>[] = [
  {
    title: 'Parameter',
    className: 'top-aligned',
    cell: ({ path, depth, type, required }) => (
      <>
        <Text size="sm" fw={600} className="ids" pl={`${depth * 0.75}rem`}>
          {path}
        </Text>
        <Text size="xs" c="dimmed" pl={`${depth * 0.75}rem`}>
          {type}
          {required ? ', required' : ''}
        </Text>
      </>
    ),
  },
  { title: 'Description', className: 'top-aligned', cell: (row) => <About row={row} /> },
];

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
      <DataTable label="Parameters" rows={rows} rowKey={({ path }) => path} columns={COLUMNS} layout="fixed" minWidth={300} />
      {cut && (
        <Text size="xs" c="dimmed" mt="xs">
          Not all parameters are listed. The JSON Schema below has all of them.
        </Text>
      )}
    </>
  );
}

function About({ row: { type, description, choices, examples = [], bounds, default: fallback } }: { row: Parameter }) {
  if (!description && !choices && bounds.length === 0 && examples.length === 0 && fallback === undefined)
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
            {type.startsWith('list') ? 'Each one of' : 'One of'}
          </Text>
          {choices.map((choice) => (
            <Code key={choice} className="ids">
              {choice}
            </Code>
          ))}
        </Group>
      )}
      {examples.length > 0 && (
        <Text size="xs" c="dimmed" mt={4} className="written" dir="auto">
          Such as {examples.join(', ')}
        </Text>
      )}
      {(bounds.length > 0 || fallback !== undefined) && (
        <Text size="xs" c="dimmed" mt={4} className="written">
          {[...bounds, ...(fallback === undefined ? [] : [`default ${fallback}`])].join(', ')}
        </Text>
      )}
    </>
  );
}
