import { Page } from '../../parts/page';

export function ToolkitsPage() {
  return <Page title="Toolkits">{null}</Page>;
}
