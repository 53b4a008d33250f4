/** The preview of a source as agents would see it, and the button that adds it. */
import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ImportPreview } from '#sdk/protocol/imports';
import { FormError } from '../../parts/form-error';
import { formatPlural } from '../../parts/format';
import { Section } from '../../parts/section';
import { AccountPreview } from './account-preview';
import { ActionPreviews } from './action-previews';
import { CallTargets } from './call-targets';
import { FoldedNotes } from './folded-notes';
import { TagChips } from './tag-chips';

export interface PreviewSectionProps {
  id: string;
  preview: ImportPreview;
  /** False after a change of the form. */
  isCurrent: boolean;
  include: readonly string[];
  onInclude: (include: string[]) => void;
  isAdding: boolean;
  error: unknown;
  onAdd: () => void;
}

export function PreviewSection({ id, preview, isCurrent, include, onInclude, isAdding, error, onAdd }: PreviewSectionProps) {
  const { toolkit, actions, tags, skipped, targets, auth, findings, missing } = preview;
  return (
    <Section title="Preview" description={`${toolkit.name ?? id}, ${formatPlural(actions.length, 'action')}`}>
      <Stack gap="md">
        {toolkit.description && (
          <Text size="sm" className="written">
            {toolkit.description}
          </Text>
        )}
        {missing.length > 0 && (
          <Alert color="gray" variant="light" title="Before its calls work" icon={<IconAlertTriangle size={18} />}>
            <List size="sm" className="written">
              {missing.map((one) => (
                <List.Item key={one}>{one}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        <CallTargets targets={targets} />
        <AccountPreview auth={auth} />
        <TagChips tags={tags} include={include} onChange={onInclude} />
        <ActionPreviews actions={actions} />
        <FoldedNotes skipped={skipped} findings={findings} />
        <FormError error={error} />
        <Group justify="flex-end" gap="sm">
          {!isCurrent && (
            <Text size="sm" c="dimmed" role="status">
              The form has changed: update the preview before you add it.
            </Text>
          )}
          <Button onClick={onAdd} loading={isAdding} disabled={!isCurrent || actions.length === 0}>
            Add {formatPlural(actions.length, 'action')}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
