import { Table, VisuallyHidden } from '@mantine/core';

/** Over the buttons of each row, which say themselves what they do. */
export function WaysColumn() {
  return (
    // What is hidden would else be placed in the page, and widen it by what a narrow table scrolls.
    <Table.Th scope="col" pos="relative">
      <VisuallyHidden>What to do</VisuallyHidden>
    </Table.Th>
  );
}
