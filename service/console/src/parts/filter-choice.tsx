/** A filter with a fixed list of choices, which can be searched and cleared. */
import { Select } from '@mantine/core';

type ChoiceData = readonly (string | { value: string; label: string })[];

export interface FilterChoiceProps {
  label: string;
  any: string;
  isWide?: boolean;
  value: string | undefined;
  data: ChoiceData;
  onChange: (value: string | undefined) => void;
}

export function FilterChoice({ label, any, isWide = false, value, data, onChange }: FilterChoiceProps) {
  const isListed = value === undefined || data.some((choice) => (typeof choice === 'string' ? choice : choice.value) === value);
  return (
    <Select
      className={isWide ? 'filter filter-wide' : 'filter'}
      label={label}
      placeholder={any}
      value={value ?? null}
      // A value of the address is shown even if it is not in the list.
      data={isListed ? [...data] : [...data, value]}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      searchable
      clearable
      nothingFoundMessage="No match"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}
