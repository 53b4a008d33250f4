/** Actions that agents cannot use before an owner's approval. */
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Review } from '#sdk/protocol/admin';
import { reviewsQuery, useApprove } from '../../api/reviews';
import { EmptyState } from '../../parts/empty-state';
import { FormError } from '../../parts/form-error';
import { formatPlural } from '../../parts/format';
import { OwnersOnly } from '../../parts/owners-only';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { ReviewCard } from './review-card';

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
  const query = useInfiniteQuery(reviewsQuery);
  return (
    <QueryView query={query} failed="Could not load the actions that wait">
      {({ pages }) => {
        const reviews = pages.flatMap((page) => page.reviews);
        if (reviews.length === 0)
          return (
            <EmptyState title="Nothing waits for approval" action={<Link to="/settings">Settings of this service</Link>}>
              Start the service with --new-actions review or --changed-actions review to approve texts before agents read them.
            </EmptyState>
          );
        return (
          <Stack gap="xl">
            <Text size="sm" c="dimmed">
              {formatPlural(pages[0]?.total ?? reviews.length, 'action')} waiting
            </Text>
            {[...Map.groupBy(reviews, ({ toolkit }) => toolkit)].map(([toolkit, ofToolkit]) => (
              <ToolkitReviews key={toolkit} toolkit={toolkit} reviews={ofToolkit} />
            ))}
            {query.hasNextPage && (
              <Button variant="default" onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
                Show more
              </Button>
            )}
          </Stack>
        );
      }}
    </QueryView>
  );
}

function ToolkitReviews({ toolkit, reviews }: { toolkit: string; reviews: readonly Review[] }) {
  const approve = useApprove();
  return (
    <Stack gap="sm" component="section" aria-label={`Toolkit ${toolkit}`}>
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h4" className="ids">
          {toolkit}
        </Title>
        {reviews.length > 1 && (
          <Button size="xs" variant="default" loading={approve.isPending} onClick={() => approve.mutate(reviews)}>
            Approve all {reviews.length} shown
          </Button>
        )}
      </Group>
      <FormError error={approve.error} />
      {reviews.map((review) => (
        <ReviewCard key={review.action} review={review} />
      ))}
    </Stack>
  );
}
