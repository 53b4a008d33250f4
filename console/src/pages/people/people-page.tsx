import { Page } from '../../parts/page';

export function PeoplePage() {
  return <Page title="People">{null}</Page>;
}
