import { NumberInput, Stack, TextInput } from '@mantine/core';
import { Folded } from '../../../parts/folded';

export interface TryOptionValues {
  idempotencyKey?: string | undefined;
  timeoutMs?: number | undefined;
}

export function TryOptions({ values, onChange }: { values: TryOptionValues; onChange: (values: TryOptionValues) => void }) {
  return (
    <Folded label="Options">
      <Stack gap="sm">
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
    </Folded>
  );
}
