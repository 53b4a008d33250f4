/** The replay of a session: which calls are open, and the step that plays. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

export interface Replay {
  opened: ReadonlySet<string>;
  /** The id of the search or call that plays. */
  current: string | undefined;
  toggle: (id: string) => void;
}

export interface ReplayControls extends Replay {
  isPlaying: boolean;
  /** Begins with the first step, or pauses. */
  play: () => void;
  /** The arrow keys move between the rows, whose buttons open with Enter. */
  onKeyDown: (event: KeyboardEvent) => void;
}

const STEP_MS = 1_500;
const ROWS = '[data-replay]';

/** @param steps ids in the order of time */
export function useReplay(steps: readonly string[]): ReplayControls {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [step, setStep] = useState<number>();
  const known = useRef(steps);
  known.current = steps;
  const isPlaying = step !== undefined;
  useEffect(() => {
    if (step === undefined) return;
    const id = known.current[step];
    if (id === undefined) return setStep(undefined);
    setOpened((former) => new Set([...former, id]));
    document.querySelector(`[data-replay="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'nearest' });
    const timer = setTimeout(() => setStep(step + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [step]);
  return {
    opened,
    current: step === undefined ? undefined : steps[step],
    isPlaying,
    play: () => setStep(isPlaying ? undefined : 0),
    toggle: (id) => setOpened((former) => (former.has(id) ? new Set([...former].filter((one) => one !== id)) : new Set([...former, id]))),
    onKeyDown(event) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(ROWS)];
      const at = rows.indexOf(document.activeElement as HTMLElement);
      if (at === -1) return;
      event.preventDefault();
      rows[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
    },
  };
}
