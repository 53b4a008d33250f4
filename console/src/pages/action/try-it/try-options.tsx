import { Button, Collapse, NumberInput, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';

export interface TryOptionValues {
  idempotencyKey?: string | undefined;
  timeoutMs?: number | undefined;
}

export function TryOptions({ values, onChange }: { values: TryOptionValues; onChange: (values: TryOptionValues) => void }) {
  const [opened, { toggle }] = useDisclosure();
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<Chevron size={14} aria-hidden />}
        onClick={toggle}
        aria-expanded={opened}
      >
        Options
      </Button>
      <Collapse expanded={opened}>
        <Stack gap="sm" pt="sm">
          <TextInput
            label="Idempotency key"
            description="Names the call: the same key with the same payload gives the first result within 24 hours, and no second run."
            value={values.idempotencyKey ?? ''}
            onChange={(event) => onChange({ ...values, idempotencyKey: event.currentTarget.value || undefined })}
            maxLength={255}
            autoComplete="off"
            spellCheck={false}
          />
          <NumberInput
            label="Time-out in milliseconds"
            description="How long to wait for the result. The service has a limit of its own."
            value={values.timeoutMs ?? ''}
            onChange={(value) => onChange({ ...values, timeoutMs: typeof value === 'number' ? value : undefined })}
            min={1}
            step={1_000}
            allowDecimal={false}
            allowNegative={false}
            thousandSeparator=","
            placeholder="60,000"
          />
        </Stack>
      </Collapse>
    </div>
  );
}
