import { Button, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconLink } from '@tabler/icons-react';
import { useRef } from 'react';
import { COPY_LABELS, useCopy } from '../../parts/use-copy';

/** Copies the address of the page, for people who may see it. */
export function CopyAddress() {
  const address = useRef<HTMLElement>(null);
  const { state, copy } = useCopy(window.location.href, address);
  return (
    <>
      <VisuallyHidden ref={address} aria-hidden>
        {window.location.href}
      </VisuallyHidden>
      <Button
        variant="default"
        onClick={copy}
        leftSection={state === 'copied' ? <IconCheck size={16} aria-hidden /> : <IconLink size={16} aria-hidden />}
      >
        {state === 'idle' ? 'Copy link' : COPY_LABELS[state]}
      </Button>
    </>
  );
}
