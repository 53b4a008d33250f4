import { Checkbox, Fieldset, PasswordInput, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { OwnedKey } from '#sdk/protocol/admin';
import type { PlaygroundInfo } from '#sdk/protocol/admin-schemas';
import { AMOUNT } from '#sdk/protocol/amount';
import { AgentKeySelect } from '../../parts/agent-key-select';
import type { SetupDraft } from './setup-storage';

export interface SetupPanelProps {
  agent: OwnedKey;
  info: PlaygroundInfo;
  currency: string;
  setup: SetupDraft;
  onChange: (change: Partial<SetupDraft>) => void;
}

export function SetupPanel({ agent, info, currency, setup, onChange }: SetupPanelProps) {
  const { kind, own, second, compares, system, budget, askBeforeDestructive, code, seesImages } = setup;
  const kinds = [
    { value: 'script', label: 'Script' },
    { value: 'own', label: 'Your own' },
    ...(info.model === undefined ? [] : [{ value: 'service', label: info.model }]),
  ];
  return (
    <Stack gap="md">
      <AgentKeySelect label="Agent key" value={agent} onChange={({ id }) => onChange({ keyId: id })} />
      <div>
        <Text size="sm" fw={500} id="playground-model" mb={4}>
          Model
        </Text>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-labelledby="playground-model"
          data={kinds}
          value={kind}
          onChange={(value) => onChange({ kind: value as SetupDraft['kind'] })}
        />
        {kind === 'script' && (
          <Text size="xs" c="dimmed" mt={6}>
            A script plays the model, without any key. Its searches and calls are real.
          </Text>
        )}
      </div>
      {kind === 'own' && <OwnModelInputs label="Your model" value={own} onChange={(change) => onChange({ own: { ...own, ...change } })} />}
      <Checkbox
        label="Compare with a second model"
        checked={compares}
        onChange={({ currentTarget }) => onChange({ compares: currentTarget.checked })}
      />
      {compares && (
        <OwnModelInputs label="Second model" value={second} onChange={(change) => onChange({ second: { ...second, ...change } })} />
      )}
      <Textarea
        label="System prompt"
        autosize
        minRows={2}
        maxRows={10}
        value={system}
        onChange={({ currentTarget }) => onChange({ system: currentTarget.value })}
      />
      <TextInput
        label={`Budget (${currency})`}
        description="The most that the paid actions of this conversation may cost"
        value={budget}
        inputMode="decimal"
        error={AMOUNT.test(budget) ? undefined : 'Write an amount, such as 0.50'}
        onChange={({ currentTarget }) => onChange({ budget: currentTarget.value })}
      />
      <Checkbox
        label="Ask before destructive calls"
        checked={askBeforeDestructive}
        onChange={({ currentTarget }) => onChange({ askBeforeDestructive: currentTarget.checked })}
      />
      <Checkbox
        label="Show images of results to the model"
        checked={seesImages}
        onChange={({ currentTarget }) => onChange({ seesImages: currentTarget.checked })}
      />
      {info.code && (
        <Checkbox
          label="Offer run_code"
          description="The key needs the right to run code"
          checked={code}
          onChange={({ currentTarget }) => onChange({ code: currentTarget.checked })}
        />
      )}
    </Stack>
  );
}

interface OwnModelInputsProps {
  label: string;
  value: SetupDraft['own'];
  onChange: (change: Partial<SetupDraft['own']>) => void;
}

function OwnModelInputs({ label, value: { url, key, model }, onChange }: OwnModelInputsProps) {
  return (
    <Fieldset legend={label} p="sm">
      <Stack gap="xs">
        <TextInput
          label="Address"
          placeholder="https://api.openai.com/v1"
          value={url}
          spellCheck={false}
          autoComplete="off"
          onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
        />
        <PasswordInput
          label="API key"
          description="Stays in this browser tab"
          value={key}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
          onChange={({ currentTarget }) => onChange({ key: currentTarget.value })}
        />
        <TextInput
          label="Model name"
          placeholder="gpt-5-mini"
          value={model}
          spellCheck={false}
          autoComplete="off"
          onChange={({ currentTarget }) => onChange({ model: currentTarget.value })}
        />
      </Stack>
    </Fieldset>
  );
}
