import { Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { auditFilePath } from '../../api/audit';
import { ExportMenu } from '../../parts/export-menu';
import { OwnersOnly } from '../../parts/owners-only';
import { Page } from '../../parts/page';
import { SavedViews } from '../../parts/saved-views/saved-views';
import { AuditFilterBar } from './audit-filter-bar';
import { AuditLog } from './audit-log';

const route = getRouteApi('/signed-in/audit');

export function AuditLogPage() {
  const filters = route.useSearch();
  return (
    <Page
      title="Audit log"
      description="All changes and sign-ins, newest first. Entries cannot be edited and contain no secrets."
      actions={
        <>
          <SavedViews page="audit" search={filters} />
          <ExportMenu label="Entries that match the filters" pathOf={(format) => auditFilePath(filters, format)} />
        </>
      }
    >
      <OwnersOnly>
        <Stack gap="md">
          <AuditFilterBar filters={filters} />
          <AuditLog filters={filters} />
        </Stack>
      </OwnersOnly>
    </Page>
  );
}
