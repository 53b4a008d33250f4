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
            description="Calls with the same key and payload run once; repeats within 24 hours get the first result."
            value={values.idempotencyKey ?? ''}
            onChange={(event) => onChange({ ...values, idempotencyKey: event.currentTarget.value || undefined })}
            maxLength={255}
            autoComplete="off"
            spellCheck={false}
          />
          <NumberInput
            label="Timeout (ms)"
            description="How long to wait for the result, up to the limit of the service."
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
