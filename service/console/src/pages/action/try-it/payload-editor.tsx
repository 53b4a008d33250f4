import { Group, SegmentedControl, Skeleton, Stack, Text, Textarea } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import type { PayloadIssue } from '#sdk/protocol/errors';
import type { JsonSchema } from '#sdk/protocol/http';
import { toFormSchema } from './form/form-schema';
import { asForm, asJson, type Draft, payloadOf } from './payload-draft';

const PayloadForm = lazy(() => import('./form/payload-form').then(({ PayloadForm }) => ({ default: PayloadForm })));

export interface PayloadEditorProps {
  schema: JsonSchema;
  draft: Draft;
  issues: readonly PayloadIssue[];
  disabled: boolean;
  onChange: (draft: Draft) => void;
  /** Called when a JSON field of the form becomes invalid, and with undefined when it is valid again. */
  onUnfinished: (pointer: string, text: string | undefined) => void;
}

export function PayloadEditor({ schema, draft, issues, disabled, onChange, onUnfinished }: PayloadEditorProps) {
  const form = useMemo(() => toFormSchema(schema), [schema]);
  const inForm = asForm(draft, form);
  const problem = 'problem' in inForm ? inForm.problem : undefined;
  const switchTo = (as: string) => {
    if (as === 'json') onChange(asJson(draft));
    else if (!('problem' in inForm)) onChange(inForm);
  };
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" fw={600} id="payload-label">
          Payload
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="How the payload is written"
          value={draft.as}
          onChange={switchTo}
          data={[
            { value: 'form', label: 'Form', disabled: problem !== undefined },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </Group>
      {draft.as === 'form' && 'isEmpty' in form ? (
        <Text size="sm" c="dimmed">
          This action has no parameters.
        </Text>
      ) : draft.as === 'form' && !('unfit' in form) ? (
        <Suspense fallback={<Skeleton height={160} />}>
          <PayloadForm
            {...form}
            payload={draft.value}
            issues={issues}
            disabled={disabled}
            onChange={(value) => onChange({ ...draft, value })}
            onUnfinished={onUnfinished}
          />
        </Suspense>
      ) : (
        <JsonEditor draft={draft} issues={issues} disabled={disabled} onChange={onChange} />
      )}
      {'unfit' in form && (
        <Text size="xs" c="dimmed">
          {form.unfit}
        </Text>
      )}
    </Stack>
  );
}

function JsonEditor({ draft, issues, disabled, onChange }: Omit<PayloadEditorProps, 'schema' | 'onUnfinished'>) {
  const payload = payloadOf(draft);
  const wrong = 'problem' in payload ? [payload.problem] : issues.map(({ path, message }) => `${path || 'The payload'}: ${message}`);
  const json = asJson(draft);
  return (
    <Textarea
      aria-labelledby="payload-label"
      value={json.as === 'json' ? json.text : ''}
      onChange={(event) => onChange({ as: 'json', text: event.currentTarget.value })}
      error={wrong.length > 0 ? wrong.join('. ') : undefined}
      disabled={disabled}
      autosize
      minRows={6}
      maxRows={24}
      spellCheck={false}
      classNames={{ input: 'ids' }}
    />
  );
}
