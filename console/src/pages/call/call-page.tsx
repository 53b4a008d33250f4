import { Page } from '../../parts/page';

export function CallPage() {
  return <Page title="Call">{null}</Page>;
}
