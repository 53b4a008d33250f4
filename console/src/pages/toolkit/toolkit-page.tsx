import { Page } from '../../parts/page';

export function ToolkitPage() {
  return <Page title="Toolkit">{null}</Page>;
}
