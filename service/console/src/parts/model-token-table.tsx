/** The tokens of each model, as agents reported them. */
import { Text } from '@mantine/core';
import type { ModelTokensInfo } from '#sdk/protocol/admin';
import { type Column, DataTable } from './data-table';
import { formatCount } from './format';

export function ModelTokenTable({ models }: { models: readonly ModelTokensInfo[] }) {
  return <DataTable label="Tokens by model" rows={models} rowKey={({ model }) => model} columns={COLUMNS} className="flush-table" />;
}

const COLUMNS: Column<ModelTokensInfo>[] = [
  {
    title: 'Model',
    cell: ({ model }) =>
      model === '' ? (
        <Text span size="sm" c="dimmed">
          Its name is not stored
        </Text>
      ) : (
        <span className="ids">{model}</span>
      ),
  },
  { title: 'Input', kind: 'number', cell: ({ input }) => formatCount(input) },
  { title: 'Of it cached', kind: 'number', from: 'xs', cell: ({ cached }) => formatCount(cached) },
  { title: 'Output', kind: 'number', cell: ({ output }) => formatCount(output) },
];
