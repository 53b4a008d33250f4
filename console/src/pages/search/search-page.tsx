import { Page } from '../../parts/page';

export function SearchPage() {
  return <Page title="Search">{null}</Page>;
}
