import { OwnersOnly } from '../../parts/owners-only';
import { Page } from '../../parts/page';
import { AuditLog } from './audit-log';

export function AuditLogPage() {
  return (
    <Page title="Audit log" description="All changes and sign-ins, newest first. Entries cannot be edited and contain no secrets.">
      <OwnersOnly>
        <AuditLog />
      </OwnersOnly>
    </Page>
  );
}
