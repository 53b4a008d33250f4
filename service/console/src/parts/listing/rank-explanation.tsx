/** Why a query gives an action its rank: in one sentence, word by word, and beside the action before it. */
import { Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ListingExplanation } from '#sdk/protocol/admin';
import { type Column, DataTable } from '../data-table';
import { formatCount } from '../format';
import { FEATURE_WORDS, type FeatureRow, featureRows, onlyOfRival, type WordRow, wordRows } from './compare-ranks';

export function RankExplanation({ explained }: { explained: ListingExplanation }) {
  const { action, found, rank, reason, rival, score } = explained;
  const words = wordRows(explained);
  const features = featureRows(explained);
  return (
    <Stack gap="md">
      <Group gap="xs" align="baseline">
        <Badge variant="light" color={found ? 'brand' : 'red'} tt="none" fw={600} className="numbers">
          {rank === null ? 'not found' : `number ${formatCount(rank)}`}
        </Badge>
        <Text size="sm" className="written" flex={1} miw="14rem">
          {reason}.
        </Text>
      </Group>
      {rival && <RivalLine rival={rival} score={score} words={onlyOfRival(words)} isBest={rank === null} />}
      {words.length > 0 && (
        <DataTable
          label="Words of the query"
          rows={words}
          rowKey={({ word }) => word}
          columns={rival ? [...wordColumns(action), rivalWords(rival.action)] : wordColumns(action)}
          minWidth={rival ? 460 : 300}
          verticalSpacing="xs"
        />
      )}
      {features.length > 0 && (
        <DataTable
          label="Reasons for the rank"
          rows={features}
          rowKey={({ feature }) => feature}
          columns={rival ? [...featureColumns(action), rivalFeatures(rival.action)] : featureColumns(action)}
          minWidth={rival ? 460 : 300}
          verticalSpacing="xs"
        />
      )}
    </Stack>
  );
}

interface RivalLineProps {
  rival: NonNullable<ListingExplanation['rival']>;
  score: number;
  /** Words that only the rival has. */
  words: readonly string[];
  /** The query does not find the action: the rival is the best match. */
  isBest: boolean;
}

function RivalLine({ rival: { action: id, score: ofRival }, score, words, isBest }: RivalLineProps) {
  return (
    <Text size="sm" className="written">
      <Anchor size="sm" underline="always" className="ids" renderRoot={(props) => <Link to="/actions/$id" params={{ id }} {...props} />}>
        {id}
      </Anchor>{' '}
      {isBest ? 'is the best match' : 'is before it'}, with {ofRival.toFixed(2)} points against {score.toFixed(2)}.{' '}
      {words.length > 0
        ? `It has ${words.map((word) => `“${word}”`).join(', ')}, which this action lacks.`
        : 'It has no word of the query that this action lacks.'}
    </Text>
  );
}

const places = (of: readonly string[]) =>
  of.length > 0 ? (
    of.join(', ')
  ) : (
    <Text span size="sm" c="var(--text-alarming)">
      missing
    </Text>
  );

const wordColumns = (action: string): Column<WordRow>[] => [
  { title: 'Word', className: 'written', cell: ({ word, isSynonym }) => (isSynonym ? `${word} (similar word)` : word) },
  { title: action, cell: ({ own }) => places(own) },
];

const rivalWords = (rival: string): Column<WordRow> => ({ title: rival, cell: (row) => places(row.rival) });

const points = (of: number | undefined) => (of === undefined ? '–' : of.toFixed(2));

const featureColumns = (action: string): Column<FeatureRow>[] => [
  { title: 'Reason for the rank', cell: ({ feature }) => FEATURE_WORDS[feature] },
  { title: action, kind: 'number', cell: ({ own }) => points(own) },
];

const rivalFeatures = (rival: string): Column<FeatureRow> => ({ title: rival, kind: 'number', cell: (row) => points(row.rival) });
