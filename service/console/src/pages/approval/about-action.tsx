/** The description and the hints of the action, as it is offered now. */
import { Group, Text } from '@mantine/core';
import type { ApprovalDetails } from '#sdk/protocol/approval-schemas';
import { printable } from '#sdk/protocol/invisible-text';
import { ActionLink } from '../../parts/action-link';
import { AnnotationBadges } from '../../parts/annotation-badges';
import { Section } from '../../parts/section';

export function AboutAction({ approval: { action, offered } }: { approval: ApprovalDetails }) {
  if (!offered)
    return (
      <Section title="The action">
        <Text size="sm" c="dimmed">
          No toolkit offers it now.
        </Text>
      </Section>
    );
  return (
    <Section title="The action" description="In the words of its toolkit.">
      <Group gap="xs" mb="xs">
        <ActionLink id={action} />
        <AnnotationBadges annotations={offered.annotations} />
      </Group>
      <Text size="sm" className="written">
        {printable(offered.description)}
      </Text>
    </Section>
  );
}
