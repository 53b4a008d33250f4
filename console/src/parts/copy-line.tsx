/** One line to copy: a key, a link. */
import { Button, CopyButton, Group, Input, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useId } from 'react';

export function CopyLine({ label, value }: { label: string; value: string }) {
  const id = useId();
  return (
    <div>
      <Input.Label htmlFor={id} className="names">
        {label}
      </Input.Label>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          id={id}
          value={value}
          readOnly
          flex={1}
          miw={0}
          classNames={{ input: 'ids' }}
          onFocus={({ currentTarget }) => currentTarget.select()}
          spellCheck={false}
          autoComplete="off"
        />
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button
              variant="light"
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              aria-label={`${copied ? 'Copied' : 'Copy'}: ${label}`}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </div>
  );
}
