import { Page } from '../../parts/page';

export function AccountPage() {
  return <Page title="Account">{null}</Page>;
}
