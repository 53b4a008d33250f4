import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Review } from '#sdk/protocol/admin';
import { useReject } from '../../api/reviews';
import { useFocusBack } from '../../parts/focus-back';
import { FormError } from '../../parts/form-error';

/** Asks for the reason, which the developer of the toolkit reads. */
export function RejectModal({ review, onClose }: { review: Review; onClose: () => void }) {
  useFocusBack();
  const reject = useReject();
  const [reason, setReason] = useState('');
  return (
    <Modal opened onClose={onClose} title={`Reject ${review.action}?`} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          reject.mutate({ reviews: [review], reason }, { onSuccess: onClose });
        }}
      >
        <Stack>
          <Textarea
            label="Reason"
            description="The developer of the toolkit reads it. These texts stay held until they change or you approve them."
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            maxLength={500}
            autosize
            minRows={3}
            data-autofocus
          />
          <FormError error={reject.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red.9" loading={reject.isPending} disabled={reason.trim() === ''}>
              Reject
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
