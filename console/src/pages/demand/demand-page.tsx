import { Page } from '../../parts/page';

export function DemandPage() {
  return <Page title="Demand">{null}</Page>;
}
