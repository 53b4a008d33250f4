/** Protects a button against a click that the person meant for another window, which another site moved away at the last moment. */
import { useEffect, useState } from 'react';

const SETTLE_MS = 500;

/** True once the page has been visible and in focus for half a second. */
export function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restart = () => {
      clearTimeout(timer);
      setSettled(false);
      if (document.visibilityState === 'visible' && document.hasFocus()) timer = setTimeout(() => setSettled(true), SETTLE_MS);
    };
    restart();
    document.addEventListener('visibilitychange', restart);
    window.addEventListener('focus', restart);
    window.addEventListener('blur', restart);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', restart);
      window.removeEventListener('focus', restart);
      window.removeEventListener('blur', restart);
    };
  }, []);
  return isSettled;
}
