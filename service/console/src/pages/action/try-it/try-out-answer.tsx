import { Alert, Anchor, Box, Group, List, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ERRORS, type SvcError } from '#sdk/protocol/errors';
import { estimateTokens } from '#sdk/protocol/estimate-tokens';
import type { InvokeResponse, Payment } from '#sdk/protocol/http';
import { toModelResult, toModelText } from '#sdk/tools/model-text';
import { CodeBlock } from '../../../parts/code-block';
import { ContentBlocks } from '../../../parts/content/content-blocks';
import { LargeText } from '../../../parts/content/large-text';
import { ErrorNotice } from '../../../parts/error-notice';
import { Folded } from '../../../parts/folded';
import { formatMs, formatPlural } from '../../../parts/format';
import { Markdown } from '../../../parts/markdown';
import { OutcomeBadge } from '../../../parts/outcome-badge';
import { costWords } from './cost-words';
import { ReportedProgress } from './reported-progress';
import type { TryOut } from './use-try-out';

/** The default of `Tools`. */
const MODEL_CHARS = 40_000;
const MOST_FORMATTED = 65_536;

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
      return null;
    case 'running':
      return tryOut.progress ? <ReportedProgress progress={tryOut.progress} /> : null;
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
          <Result response={tryOut.response} action={action} />
        </Stack>
      );
    case 'failed':
      return (
        <Stack gap="xs">
          <Outcome code={tryOut.error.code} ms={tryOut.ms} invocationId={tryOut.error.details.invocationId} />
          <Failure error={tryOut.error} />
          <CodeBlock code={JSON.stringify({ error: tryOut.read }, null, 2)} label="The error as the model reads it" wrap />
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

function Result({ response, action }: { response: InvokeResponse; action: string }) {
  const { value } = toModelResult(response, MODEL_CHARS);
  const text = toModelText(value);
  const whole = toModelText(response.result ?? null);
  const name = action.slice(action.indexOf('__') + 2);
  return (
    <>
      {response.replayed && (
        <Text size="sm" c="dimmed">
          This is the stored result of an earlier call with the same idempotency key. The action did not run again.
        </Text>
      )}
      {response.content && <ContentBlocks blocks={response.content} />}
      {typeof response.result === 'string' && isMarkdown(response.result) && <Markdown text={response.result} />}
      <LargeText
        text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
        label="The result as the model receives it"
        fileName={`${name}.txt`}
      />
      <Text size="xs" c="dimmed">
        The model receives this text (formatted here), {formatPlural(text.length, 'character')}, about{' '}
        {formatPlural(estimateTokens(text), 'token')}
      </Text>
      {whole.length > MODEL_CHARS && (
        <Folded label="Show the whole result">
          <LargeText
            text={typeof response.result === 'string' ? whole : JSON.stringify(response.result, null, 2)}
            label="The whole result"
            fileName={`${name}${typeof response.result === 'string' ? '.txt' : '.json'}`}
          />
        </Folded>
      )}
    </>
  );
}

/** A text that reads better formatted: with headings, lists, tables, links or code, and short enough to format. */
function isMarkdown(text: string): boolean {
  return text.length <= MOST_FORMATTED && /^(#{1,6} |[-*] |\d+\. |\||```)|\]\(https?:|\*\*/m.test(text);
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
