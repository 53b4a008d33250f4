/** The points of a found action, and the words that match. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ListingExplanation } from '#sdk/protocol/admin';
import { explainQuery, type RankAsked } from '../../api/explain';
import { wordRows } from '../../parts/listing/compare-ranks';
import { QueryView } from '../../parts/query-view';

export function WhyThere({ asked }: { asked: RankAsked }) {
  return (
    <QueryView query={useQuery(explainQuery(asked))} rows={1} failed="Could not explain the order">
      {(explained) => (
        <Text size="sm" c="dimmed" className="written">
          {saidOf(explained)}
        </Text>
      )}
    </QueryView>
  );
}

function saidOf(explained: ListingExplanation): string {
  const rows = wordRows({ terms: explained.terms, missing: explained.missing });
  const matched = rows.flatMap(({ word, own }) => (own.length > 0 ? `${word} (${own.join(', ')})` : []));
  const lacking = rows.flatMap(({ word, own }) => (own.length === 0 ? word : []));
  const parts = [
    `${explained.score.toFixed(2)} points`,
    matched.length > 0 ? `matches ${matched.join(', ')}` : `${explained.reason}`,
    ...(lacking.length > 0 ? [`lacks ${lacking.join(', ')}`] : []),
  ];
  return `${parts.join('; ')}.`;
}
