import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '../../api/settings';
import { OwnersOnly } from '../../parts/owners-only';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { FixedSettings } from './fixed-settings';
import { SettingsForm } from './settings-form';

export function ServiceSettingsPage() {
  return (
    <Page
      title="Settings"
      description="Choose what the service stores about calls and searches, which apps people may connect, and which calls ask a person. Changes take effect within seconds on all nodes."
    >
      <OwnersOnly>
        <ReadSettings />
      </OwnersOnly>
    </Page>
  );
}

function ReadSettings() {
  return (
    <QueryView query={useQuery(settingsQuery)} rows={8} failed="Could not load the settings">
      {({ settings, fixed }) => (
        <Stack gap="md">
          <SettingsForm stored={settings} />
          <FixedSettings fixed={fixed} />
        </Stack>
      )}
    </QueryView>
  );
}
