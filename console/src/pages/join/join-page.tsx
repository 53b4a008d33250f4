import { Page } from '../../parts/page';

export function JoinPage() {
  return <Page title="Join">{null}</Page>;
}
