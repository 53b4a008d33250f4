import { Alert, Anchor, Box, Group, List, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ERRORS, type SvcError } from '#sdk/protocol/errors';
import { estimateTokens } from '#sdk/protocol/estimate-tokens';
import type { InvokeResponse, Payment } from '#sdk/protocol/http';
import { toModelResult, toModelText } from '#sdk/tools/model-text';
import { CodeBlock } from '../../../parts/code-block';
import { ErrorNotice } from '../../../parts/error-notice';
import { formatMs, formatPlural } from '../../../parts/format';
import { OutcomeBadge } from '../../../parts/outcome-badge';
import { costWords } from './cost-words';
import type { TryOut } from './use-try-out';

/** The default of `Tools`. */
const MODEL_CHARS = 40_000;

export interface TryOutAnswerProps {
  tryOut: TryOut;
  action: string;
  /** Undefined for a free action. */
  price: Payment | undefined;
}

export function TryOutAnswer({ tryOut, action, price }: TryOutAnswerProps) {
  const cost = costWords(tryOut, price);
  return (
    <Box aria-live="polite">
      <Answer tryOut={tryOut} action={action} />
      {cost && (
        <Text size="sm" mt="xs">
          {cost}
        </Text>
      )}
    </Box>
  );
}

function Answer({ tryOut, action }: { tryOut: TryOut; action: string }) {
  switch (tryOut.state) {
    case 'idle':
    case 'running':
      return null;
    case 'cancelled':
      return (
        <Alert variant="light" color="gray" title={`Cancelled after ${formatMs(tryOut.ms)}`}>
          The toolkit was asked to stop. Effects up to then remain.{' '}
          <Anchor inherit underline="always" renderRoot={(props) => <Link to="/calls" search={{ action }} {...props} />}>
            View calls
          </Anchor>
        </Alert>
      );
    case 'broken':
      return <ErrorNotice error={tryOut.error} title="No answer" />;
    case 'ok':
      return (
        <Stack gap="xs">
          <Outcome code="OK" ms={tryOut.ms} invocationId={tryOut.response.invocationId} />
          <Result response={tryOut.response} />
        </Stack>
      );
    case 'failed':
      return (
        <Stack gap="xs">
          <Outcome code={tryOut.error.code} ms={tryOut.ms} invocationId={tryOut.error.details.invocationId} />
          <Failure error={tryOut.error} />
          <CodeBlock code={JSON.stringify({ error: tryOut.read }, null, 2)} label="The error as the model reads it" />
        </Stack>
      );
  }
}

function Outcome({ code, ms, invocationId }: { code: string; ms: number; invocationId: string | undefined }) {
  return (
    <Group gap="sm">
      <OutcomeBadge code={code} />
      <Text size="sm" className="numbers">
        {formatMs(ms)}
      </Text>
      {invocationId && (
        <Anchor size="sm" className="ids" renderRoot={(props) => <Link to="/calls/$id" params={{ id: invocationId }} {...props} />}>
          {invocationId}
        </Anchor>
      )}
    </Group>
  );
}

function Result({ response }: { response: InvokeResponse }) {
  const { value } = toModelResult(response, MODEL_CHARS);
  const text = toModelText(value);
  return (
    <>
      {response.replayed && (
        <Text size="sm" c="dimmed">
          This is the stored result of an earlier call with the same idempotency key. The action did not run again.
        </Text>
      )}
      <CodeBlock code={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} label="The result as the model receives it" />
      <Text size="xs" c="dimmed">
        The model receives this text (formatted here), {formatPlural(text.length, 'character')}, about{' '}
        {formatPlural(estimateTokens(text), 'token')}
      </Text>
    </>
  );
}

function Failure({ error }: { error: SvcError }) {
  const { issues = [], didYouMean = [] } = error.details;
  return (
    <Alert variant="light" color="red" title={ERRORS[error.code].title}>
      <Stack gap="xs">
        {issues.length === 0 && <span className="written">{error.message}</span>}
        {issues.length > 0 && (
          <List size="sm">
            {issues.map(({ path, message }) => (
              <List.Item key={`${path} ${message}`}>
                <span className="ids">{path || 'payload'}</span>: {message}
              </List.Item>
            ))}
          </List>
        )}
        {didYouMean.length > 0 && <span>Did you mean {didYouMean.join(', ')}?</span>}
        <span>{error.retryable ? 'Retrying may help.' : "Retrying won't help: change the payload or fix the toolkit."}</span>
      </Stack>
    </Alert>
  );
}
