import { Page } from '../../parts/page';

export function ActionPage() {
  return <Page title="Action">{null}</Page>;
}
