/** Returns the focus to the element that had it before, for dialogs that are unmounted without closing. */
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
