/** The steps of a conversation: what the model was sent for, what it searched and was shown, what it called, with tokens, time and cost. */
import { Anchor, Box, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { toAmount } from '#sdk/protocol/amount';
import { formatAmount, formatCount, formatMs, formatPlural } from '../../parts/format';
import type { ConversationState } from './conversation/conversation';
import type { TraceStep } from './conversation/items';

export function TracePanel({ state: { steps, totals }, currency, label }: { state: ConversationState; currency: string; label: string }) {
  const { input, output, ms, searches, calls, cost } = totals;
  return (
    <Box component="section" aria-label={label}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Text size="xs" c="dimmed" className="numbers" data-testid="totals">
        {`${formatPlural(searches, 'search', 'searches')}, ${formatPlural(calls, 'call')}, ${formatCount(input)} + ${formatCount(output)} tokens, ${formatMs(ms)}, ${formatAmount(toAmount(cost), currency)}`}
      </Text>
      <List listStyleType="none" mt="xs" spacing="xs" aria-label={`Steps of ${label}`}>
        {steps.map((step) => (
          <List.Item key={step.id}>
            <Step step={step} />
          </List.Item>
        ))}
      </List>
    </Box>
  );
}

function Step({ step }: { step: TraceStep }) {
  return (
    <Box className="playground-step">
      <StepWords step={step} />
      <Text size="xs" c="dimmed" className="numbers">
        {[formatMs(step.ms), ...factsOf(step)].join(' · ')}
      </Text>
    </Box>
  );
}

function StepWords({ step }: { step: TraceStep }) {
  switch (step.kind) {
    case 'model':
      return <Text size="sm">{step.model}</Text>;
    case 'search':
      return (
        <>
          <Text size="sm">
            Search: <span className="written">{step.query}</span>
          </Text>
          {step.shown.map((action) => (
            <NewTab key={action} href={`/actions/${encodeURIComponent(action)}`}>
              {action}
            </NewTab>
          ))}
        </>
      );
    case 'call':
      return step.callId === undefined ? (
        <Text size="sm" className="ids">
          {step.action}
        </Text>
      ) : (
        <NewTab href={`/calls/${step.callId}`}>{step.action}</NewTab>
      );
    case 'run':
      return step.run === undefined ? <Text size="sm">run_code</Text> : <NewTab href={`/runs/${step.run}`}>run_code</NewTab>;
  }
}

function factsOf(step: TraceStep): string[] {
  if (step.kind === 'model') {
    const { tokens } = step;
    return tokens ? [`${formatCount(tokens.input)} + ${formatCount(tokens.output)} tokens`] : ['tokens not reported'];
  }
  if (step.kind === 'search') return [step.shown.length === 0 ? 'found nothing' : `${formatPlural(step.shown.length, 'action')} shown`];
  const cost = step.cost ? [formatAmount(step.cost.amount, step.cost.currency)] : [];
  const calls = step.kind === 'run' && step.calls !== undefined ? [formatPlural(step.calls, 'call')] : [];
  return [step.code, ...calls, ...cost];
}

/** Another page in this tab would end the conversation. */
export function NewTab({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor href={href} target="_blank" size="xs" display="block" className="ids" c="inherit" underline="always" lh="24px">
      {children}
    </Anchor>
  );
}
