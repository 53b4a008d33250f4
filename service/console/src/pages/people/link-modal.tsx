import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { CreatedInvitation } from '#sdk/protocol/admin';
import { invitationLink } from '../../api/invitations';
import { CopyLine } from '../../parts/copy-line';
import { useFocusBack } from '../../parts/focus-back';
import { TimeAgo } from '../../parts/time-ago';

/** A one-time link, shown once. */
export function LinkModal({ title, made, onClose }: { title: string; made: CreatedInvitation; onClose: () => void }) {
  useFocusBack();
  return (
    <Modal opened onClose={onClose} title={title} size="lg" closeOnClickOutside={false}>
      <OneTimeLink made={made} onDone={onClose} />
    </Modal>
  );
}

export function OneTimeLink({ made, onDone }: { made: CreatedInvitation; onDone: () => void }) {
  return (
    <Stack>
      <Text size="sm">
        Send them this link yourself; the service doesn't send e-mail. It works once, expires <TimeAgo at={made.expiresAt} />, and is not
        shown again.
      </Text>
      <CopyLine label="Link" value={invitationLink(made)} />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
