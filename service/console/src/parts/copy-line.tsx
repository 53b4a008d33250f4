/** One line to copy: a key, a link. */
import { Button, Group, Input, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useId, useRef } from 'react';
import { COPY_LABELS, useCopy } from './use-copy';

export function CopyLine({ label, value }: { label: string; value: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { state, copy } = useCopy(value, input);
  return (
    <div>
      <Input.Label htmlFor={id} className="names">
        {label}
      </Input.Label>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          id={id}
          ref={input}
          value={value}
          readOnly
          flex={1}
          miw={0}
          classNames={{ input: 'ids' }}
          onFocus={({ currentTarget }) => currentTarget.select()}
          spellCheck={false}
          autoComplete="off"
        />
        <Button
          variant="light"
          flex="none"
          onClick={copy}
          leftSection={state === 'copied' ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          aria-label={`${COPY_LABELS[state]}: ${label}`}
        >
          {COPY_LABELS[state]}
        </Button>
      </Group>
    </div>
  );
}
