/**
 * Copies the text of an element.
 *
 * `navigator.clipboard` exists only on secure pages (HTTPS, localhost). On other pages the text is selected and copied with
 * `document.execCommand`; if that fails too, the text stays selected, and the person copies it with the keyboard.
 */
import { useTimeout } from '@mantine/hooks';
import { type RefObject, useState } from 'react';

export type CopyState = 'idle' | 'copied' | 'selected';

const SHOWN_MS = 2_500;
export const COPY_LABELS: Record<CopyState, string> = {
  idle: 'Copy',
  copied: 'Copied',
  selected: /Mac|iPhone|iPad/.test(navigator.userAgent) ? 'Press ⌘C' : 'Press Ctrl+C',
};

export function useCopy(value: string, element: RefObject<HTMLElement | null>): { state: CopyState; copy: () => void } {
  const [state, setState] = useState<CopyState>('idle');
  const { start } = useTimeout(() => setState('idle'), SHOWN_MS);
  const show = (next: CopyState) => {
    setState(next);
    start();
  };
  const copySelected = () => {
    if (element.current) select(element.current);
    show(document.execCommand('copy') ? 'copied' : 'selected');
  };
  return {
    state,
    copy() {
      if (!window.isSecureContext || !navigator.clipboard) copySelected();
      else void navigator.clipboard.writeText(value).then(() => show('copied'), copySelected);
    },
  };
}

function select(element: HTMLElement): void {
  if (element instanceof HTMLInputElement) {
    element.focus();
    element.select();
  } else window.getSelection()?.selectAllChildren(element);
}
