/** The steps of a call, drawn to scale: each bar lasts until the next step. */
import { Box, Text } from '@mantine/core';
import type { InvocationDetail } from '#sdk/protocol/admin';
import { formatMs } from '../../parts/format';
import { Section } from '../../parts/section';
import { WithShortIds } from '../../parts/short-id';
import { timelineSteps } from './timeline-steps';
import { useElapsedMs } from './use-elapsed-ms';

export function CallTimeline({ call }: { call: InvocationDetail }) {
  const steps = timelineSteps(call, useElapsedMs(call));
  return (
    <Section title="Timeline">
      {steps.length === 0 ? (
        <Text size="sm" c="dimmed">
          No timeline yet
        </Text>
      ) : (
        <Box component="ol" className="plain-list">
          {steps.map(({ ms, text, detail, from, length, isFault }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a timeline only grows at its end
            <li key={index} className="step">
              <Text size="sm" c="dimmed" ta="right" className="numbers">
                {formatMs(ms)}
              </Text>
              <div className="step-track" aria-hidden>
                <div
                  className="step-bar"
                  data-fault={isFault}
                  style={{ left: `min(${100 * from}%, 100% - 3px)`, width: `${100 * length}%` }}
                />
              </div>
              <Text size="sm" className="step-text">
                {text}
                {detail && (
                  <Text span size="sm" c="dimmed">
                    {' '}
                    <WithShortIds text={detail} />
                  </Text>
                )}
              </Text>
            </li>
          ))}
        </Box>
      )}
    </Section>
  );
}
