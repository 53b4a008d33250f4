/** The filter of a range of time. */
import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { isSpan, SPAN_NAMES, SPANS, startOf } from '../api/spans';
import { FilterChoice } from './filter-choice';
import { formatStretch, formatTime, toLocalTime } from './format';

export interface TimeChoiceProps {
  /** A span such as `24h`, or a time. */
  from: string | undefined;
  to: string | undefined;
  onChange: (changed: { from?: string | undefined; to?: string | undefined }) => void;
}

/** A range that ends now, or the two times of the address. */
export function TimeChoice({ from, to, onChange }: TimeChoiceProps) {
  const spans = SPAN_NAMES.map((value) => ({ value: value as string, label: SPANS[value].label as string }));
  const isExact = to !== undefined || (from !== undefined && !isSpan(from));
  const formatEnd = (at: string | undefined) => (at === undefined ? '…' : isSpan(at) ? SPANS[at].label : formatTime(at));
  const exact = from && to && !isSpan(from) ? formatStretch(from, to) : `${formatEnd(from)} – ${formatEnd(to)}`;
  const data = [...spans, { value: 'exact', label: isExact ? exact : 'From … to …' }];
  const choose = (chosen: string | undefined) => {
    if (chosen === 'exact') onChange({ from: startOf('1h'), to: new Date().toISOString() });
    else onChange({ from: chosen, to: undefined });
  };
  const choice = (
    <FilterChoice
      label="Time"
      any="Any time"
      isWide={isExact}
      value={isExact ? 'exact' : from}
      data={data}
      onChange={(chosen) => !(isExact && chosen === 'exact') && choose(chosen)}
    />
  );
  if (!isExact) return choice;
  return (
    <>
      {choice}
      <TimeInput label="From" value={isSpan(from) ? startOf(from) : from} onChange={(at) => onChange({ from: at })} />
      <TimeInput label="To" value={to} onChange={(at) => onChange({ to: at })} />
    </>
  );
}

interface TimeInputProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A time in the browser's zone, which the label names. Applied when the field loses the focus. */
function TimeInput({ label, value, onChange }: TimeInputProps) {
  const shown = value === undefined ? '' : toLocalTime(value);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <TextInput
      className="filter"
      type="datetime-local"
      label={`${label} (${zone})`}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => text !== shown && onChange(text === '' ? undefined : new Date(text).toISOString())}
    />
  );
}
