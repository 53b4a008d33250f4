/** Runs the action from the page, exactly like an agent with the chosen key. */
import { Alert, Button, Group, Kbd, Stack, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ActionReport, OwnedKey } from '#sdk/protocol/admin';
import { AgentKeySelect } from '../../../parts/agent-key-select';
import { ConfirmDestructive } from './confirm-destructive';
import { Elapsed } from './elapsed';
import type { FormerCall } from './former-call';
import { missingValues } from './missing-values';
import { type Draft, draftOf, emptyDraft, payloadOf, withUnfinished } from './payload-draft';
import { PayloadEditor } from './payload-editor';
import { PriceNotice } from './price-notice';
import { TryOptions, type TryOptionValues } from './try-options';
import { TryOutAnswer } from './try-out-answer';
import { useTryOut } from './use-try-out';

export interface TryItProps {
  report: ActionReport;
  /** The first choice of an agent key. */
  agent: OwnedKey;
  /** The initial payload. */
  former?: FormerCall | undefined;
  /** The button that opened the form is removed, so the form takes the focus. */
  takesFocus?: boolean;
}

export function TryIt({ report, agent, former, takesFocus = false }: TryItProps) {
  const { action, annotations, payment: price, online } = report;
  const [key, setKey] = useState(agent);
  const [draft, setDraft] = useState<Draft>(() =>
    former ? draftOf(report.payloadSchema, former.payload) : emptyDraft(report.payloadSchema),
  );
  const [options, setOptions] = useState<TryOptionValues>({});
  const [isEdited, setEdited] = useState(false);
  /** Run was pressed while a required value was missing. */
  const [isAsked, setAsked] = useState(false);
  const [asks, question] = useDisclosure();
  const { tryOut, run, cancel } = useTryOut();
  const onUnfinished = useCallback(
    (pointer: string, text: string | undefined) => setDraft((now) => withUnfinished(now, pointer, text)),
    [],
  );
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) frame.current?.focus({ preventScroll: true });
  }, [takesFocus]);

  const payload = payloadOf(draft);
  const isRunning = tryOut.state === 'running';
  // The service's errors refer to an earlier payload.
  const refused = tryOut.state === 'failed' && !isEdited ? (tryOut.error.details.issues ?? []) : [];
  const missing = 'problem' in payload ? [] : missingValues(report.payloadSchema, payload.value);
  const issues = refused.length === 0 && isAsked ? missing : refused;

  const runNow = () => {
    question.close();
    if ('problem' in payload) return;
    setEdited(false);
    // The page showed this price, so the call must not cost more.
    void run({ keyId: key.id, action, payload: payload.value, maxPayment: price?.amount ?? '0', ...options });
  };
  const start = () => {
    if (isRunning || 'problem' in payload) return;
    setAsked(missing.length > 0);
    // The service would refuse the call, and count it.
    if (missing.length > 0) return;
    if (annotations?.destructive) question.open();
    else runNow();
  };
  useHotkeys([['mod+Enter', start]], []);

  return (
    <>
      <Stack gap="md" ref={frame} tabIndex={-1} className="trial">
        {!online && (
          <Alert variant="light" color="gray" title="The toolkit is offline">
            A call waits a moment for the toolkit to connect, then fails.
          </Alert>
        )}
        <AgentKeySelect label="Agent" value={key} onChange={setKey} />
        <PayloadEditor
          schema={report.payloadSchema}
          draft={draft}
          issues={issues}
          disabled={isRunning}
          onUnfinished={onUnfinished}
          onChange={(next) => {
            setDraft(next);
            setEdited(true);
          }}
        />
        <TryOptions values={options} onChange={setOptions} />
        <PriceNotice payment={price} agent={key} />
        <Group gap="sm">
          {isRunning ? (
            <Button color="red" variant="light" leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={cancel}>
              Cancel
            </Button>
          ) : (
            <Button
              leftSection={<IconPlayerPlay size={16} aria-hidden />}
              // A field is checked when it loses the focus. Its message would go before the mouse is up, the button would move, and the click be lost.
              onMouseDown={(event) => event.preventDefault()}
              onClick={(event) => {
                event.currentTarget.focus();
                start();
              }}
              disabled={'problem' in payload}
              {...(annotations?.destructive && { color: 'red.9' })}
            >
              Run
            </Button>
          )}
          {isRunning ? (
            <Elapsed since={tryOut.startedAt} />
          ) : (
            <Text size="xs" c="dimmed" visibleFrom="sm" aria-hidden>
              <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd>
            </Text>
          )}
        </Group>
        {isAsked && missing.length > 0 && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            Fill in {missing.map(({ path }) => path.slice(1).replaceAll('/', '.')).join(', ')}. Nothing was sent.
          </Text>
        )}
        <TryOutAnswer tryOut={tryOut} action={action} price={price} />
      </Stack>
      <ConfirmDestructive action={action} price={price} agent={key.name} opened={asks} onCancel={question.close} onConfirm={runNow} />
    </>
  );
}
