/** Gives the focus back to what had it before: for dialogs that are not closed but taken out of the page. */
import { useEffect, useRef } from 'react';

export function useFocusBack(): void {
  const before = useRef(document.activeElement);
  useEffect(() => {
    const { current } = before;
    return () => {
      if (current instanceof HTMLElement && current.isConnected) current.focus({ preventScroll: true });
    };
  }, []);
}
