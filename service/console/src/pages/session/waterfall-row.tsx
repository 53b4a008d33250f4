/** A row of the waterfall: when, what, the bar, how long. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatFullTime, formatMs } from '../../parts/format';
import { barOf, type Timed } from './waterfall';

export interface WaterfallRowProps {
  entry: Timed;
  part: Timed;
  /** Determines the colour of the bar. The row has the same information in words. */
  look: 'search' | 'ok' | 'failed' | 'running';
  duration?: string;
  className?: string;
  /** The step of the replay. */
  isCurrent?: boolean;
  /** Below the row, in its whole width. */
  details?: ReactNode;
  children: ReactNode;
}

export function WaterfallRow({ entry, part, look, duration, className = '', isCurrent = false, details, children }: WaterfallRowProps) {
  const { from, length } = barOf(entry, part);
  const at = new Date(entry.at).toISOString();
  return (
    <li aria-current={isCurrent ? 'step' : undefined}>
      <div className={`session-row ${className}`}>
        <Text size="sm" c="dimmed" className="session-offset numbers">
          <time dateTime={at} title={formatFullTime(at)}>
            +{formatMs(entry.at - part.at)}
          </time>
        </Text>
        <div className="session-what">{children}</div>
        <div className="session-track" aria-hidden>
          <div className="session-bar" data-look={look} style={{ left: `min(${100 * from}%, 100% - 3px)`, width: `${100 * length}%` }} />
        </div>
        <Text size="sm" className="session-duration numbers">
          {duration}
        </Text>
      </div>
      {details}
    </li>
  );
}
