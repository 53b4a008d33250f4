import { Page } from '../../parts/page';

export function KeysPage() {
  return <Page title="Keys">{null}</Page>;
}
