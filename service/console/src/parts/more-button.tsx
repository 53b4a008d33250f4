/** Loads the next page of a list. Empty when there is none. */
import { Button, Group } from '@mantine/core';

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

export function MoreButton({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { query: Pages }) {
  if (!hasNextPage) return null;
  return (
    <Group justify="center">
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Load more
      </Button>
    </Group>
  );
}
