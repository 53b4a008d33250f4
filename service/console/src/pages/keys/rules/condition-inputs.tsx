/** The input of one condition on a call: a glob with suggestions, a hint, an amount. */
import { Autocomplete, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RULE_HINTS } from '#sdk/protocol/rules';
import { meQuery } from '../../../api/me';
import { actionSuggestionsQuery, toolkitSuggestionsQuery } from '../../../api/reports';
import { HINT_WORDS } from '../../../parts/rule-words';
import type { TextCondition, TextConditionKind } from './rule-rows';

const PAUSE_MS = 150;

export interface TextConditionInputProps {
  condition: TextCondition;
  error: ReactNode;
  onChange: (text: string) => void;
}

export const CONDITION_LABELS: Record<TextConditionKind | 'payload', string> = {
  action: 'Action',
  toolkit: 'Toolkit',
  hint: 'Hint',
  priceAbove: 'Price above',
  user: 'User',
  payload: 'Payload',
};

export function TextConditionInput(props: TextConditionInputProps) {
  const { kind } = props.condition;
  if (kind === 'action') return <ActionInput {...props} />;
  if (kind === 'toolkit') return <ToolkitInput {...props} />;
  if (kind === 'hint') return <HintInput {...props} />;
  return kind === 'priceAbove' ? <PriceInput {...props} /> : <UserInput {...props} />;
}

function ActionInput(props: TextConditionInputProps) {
  const asked = useAsked(props);
  const { data } = useQuery({ ...actionSuggestionsQuery(asked ?? ''), enabled: Boolean(asked?.trim()) });
  const found = data?.actions.map(({ action }) => action);
  return <GlobInput {...props} placeholder="orders__refund, or orders__delete_*" suggestions={asked === undefined ? [] : found} />;
}

function ToolkitInput(props: TextConditionInputProps) {
  const asked = useAsked(props);
  const { data } = useQuery({ ...toolkitSuggestionsQuery(asked ?? ''), enabled: asked !== undefined });
  const found = data?.toolkits.map(({ id }) => id);
  return <GlobInput {...props} placeholder="orders" suggestions={asked === undefined ? [] : found} />;
}

/** The text to search for. Undefined for a glob, which no search finds. */
function useAsked({ condition: { text } }: TextConditionInputProps): string | undefined {
  const [asked] = useDebouncedValue(text, PAUSE_MS);
  return asked.includes('*') ? undefined : asked;
}

interface GlobInputProps extends TextConditionInputProps {
  placeholder: string;
  suggestions: string[] | undefined;
}

function GlobInput({ condition: { kind, text }, error, onChange, placeholder, suggestions = [] }: GlobInputProps) {
  return (
    <Autocomplete
      label={CONDITION_LABELS[kind]}
      placeholder={placeholder}
      data={suggestions}
      // The service has searched already.
      filter={({ options }) => options}
      value={text}
      onChange={onChange}
      error={error}
      spellCheck={false}
      classNames={{ input: 'ids' }}
    />
  );
}

function HintInput({ condition: { text }, error, onChange }: TextConditionInputProps) {
  return (
    <Select
      label={CONDITION_LABELS.hint}
      placeholder="A property that the action declares"
      data={RULE_HINTS.map((hint) => ({ value: hint, label: HINT_WORDS[hint] }))}
      value={text || null}
      onChange={(hint) => hint !== null && onChange(hint)}
      allowDeselect={false}
      error={error}
    />
  );
}

function PriceInput({ condition: { text }, error, onChange }: TextConditionInputProps) {
  const { data: me } = useSuspenseQuery(meQuery);
  return (
    <TextInput
      label={`${CONDITION_LABELS.priceAbove} (${me.currency})`}
      placeholder="0.50"
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
    />
  );
}

function UserInput({ condition: { text }, error, onChange }: TextConditionInputProps) {
  return (
    <TextInput
      label={CONDITION_LABELS.user}
      placeholder="cus_4821, or guest-*, as the app names them"
      autoComplete="off"
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
      spellCheck={false}
      classNames={{ input: 'ids' }}
    />
  );
}
