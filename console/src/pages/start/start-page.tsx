import { Page } from '../../parts/page';

export function StartPage() {
  return <Page title="Start">{null}</Page>;
}
