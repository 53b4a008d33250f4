/** Actions that agents cannot use before an owner's approval. */
import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { reviewsQuery } from '../../api/reviews';
import { EmptyState } from '../../parts/empty-state';
import { formatCount, formatPlural } from '../../parts/format';
import { MoreButton } from '../../parts/more-button';
import { OwnersOnly } from '../../parts/owners-only';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { ListSearchField } from '../../parts/search-field';
import type { ReviewsSearch } from './reviews-search';
import { ToolkitReviews } from './toolkit-reviews';

const route = getRouteApi('/signed-in/review');

export function ReviewPage() {
  return (
    <Page title="Review" description="Actions that agents can neither find nor use until you approve their texts.">
      <OwnersOnly>
        <Reviews />
      </OwnersOnly>
    </Page>
  );
}

function Reviews() {
  const search = route.useSearch();
  const query = useInfiniteQuery(reviewsQuery(search));
  return (
    <Stack gap="md">
      <Filters search={search} />
      <QueryView query={query} failed="Could not load the actions that wait">
        {({ pages }) => {
          const reviews = pages.flatMap((page) => page.reviews);
          if (reviews.length === 0) return <NoReviews search={search} />;
          const total = pages[0]?.total ?? reviews.length;
          return (
            <Stack gap="xl" className="fading" data-faded={query.isPlaceholderData}>
              <Text size="sm" c="dimmed" role="status" className="numbers">
                {formatPlural(total, 'action')} {search.state === 'rejected' ? 'rejected' : 'waiting'}
                {reviews.length < total && `, ${formatCount(reviews.length)} shown`}
              </Text>
              {[...Map.groupBy(reviews, ({ toolkit }) => toolkit)].map(([toolkit, ofToolkit]) => (
                <ToolkitReviews key={toolkit} toolkit={toolkit} reviews={ofToolkit} />
              ))}
              <MoreButton query={query} />
            </Stack>
          );
        }}
      </QueryView>
    </Stack>
  );
}

function Filters({ search: { q = '', state } }: { search: ReviewsSearch }) {
  const navigate = route.useNavigate();
  return (
    <Group gap="sm" role="search" aria-label="Filter the actions">
      <ListSearchField
        label="Search by id or description"
        placeholder="Search by id or description"
        value={q}
        onChange={(text) =>
          void navigate({ search: ({ q: _, ...former }) => ({ ...former, ...(text.trim() && { q: text }) }), replace: true })
        }
      />
      <SegmentedControl
        aria-label="State of the actions"
        value={state ?? 'held'}
        onChange={(value) =>
          void navigate({
            search: ({ state: _, ...former }) => ({ ...former, ...(value === 'rejected' && { state: value }) }),
            replace: true,
          })
        }
        data={[
          { value: 'held', label: 'Waiting' },
          { value: 'rejected', label: 'Rejected' },
        ]}
      />
    </Group>
  );
}

function NoReviews({ search: { q, state } }: { search: ReviewsSearch }) {
  if (q !== undefined) return <EmptyState title={`No action matches “${q.trim()}”`} />;
  if (state === 'rejected') return <EmptyState title="No action is rejected" />;
  return (
    <EmptyState title="Nothing waits for approval" action={<Link to="/settings">Settings of this service</Link>}>
      Start the service with --new-actions review or --changed-actions review to approve texts before agents read them.
    </EmptyState>
  );
}
