import { Alert, Anchor, Box, Group, List, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ERRORS, type SvcError } from '../../../../../src/protocol/errors';
import type { InvokeResponse } from '../../../../../src/protocol/http';
import { toModelResult, toModelText } from '../../../../../src/tools/model-text';
import { CodeBlock } from '../../../parts/code-block';
import { ErrorNotice } from '../../../parts/error-notice';
import { formatMs } from '../../../parts/format';
import { OutcomeBadge } from '../../../parts/outcome-badge';
import type { TryOut } from './use-try-out';

/** As many as `Tools` gives to a model unless told. */
const MODEL_CHARS = 40_000;

export function TryOutAnswer({ tryOut, action }: { tryOut: TryOut; action: string }) {
  return (
    <Box aria-live="polite">
      <Answer tryOut={tryOut} action={action} />
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
          The action was told to stop. What it had done by then stays done;{' '}
          <Anchor inherit underline="always" renderRoot={(props) => <Link to="/calls" search={{ action }} {...props} />}>
            its calls
          </Anchor>{' '}
          show how it ended.
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
  return (
    <>
      {response.replayed && (
        <Text size="sm" c="dimmed">
          This is the kept answer of an earlier call with the same idempotency key: nothing ran now.
        </Text>
      )}
      <CodeBlock code={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} label="The result as the model gets it" />
      <Text size="xs" c="dimmed">
        As the model gets it, with line breaks for reading: {toModelText(value).length.toLocaleString('en')} characters.
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
        {didYouMean.length > 0 && <span>Near to it: {didYouMean.join(', ')}</span>}
        <span>
          {error.retryable ? 'The same call may succeed later.' : 'The same call would fail again: something has to change first.'}
        </span>
      </Stack>
    </Alert>
  );
}
