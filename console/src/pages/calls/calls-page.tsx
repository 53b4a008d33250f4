import { Page } from '../../parts/page';

export function CallsPage() {
  return <Page title="Calls">{null}</Page>;
}
