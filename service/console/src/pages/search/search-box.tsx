import { ActionIcon, Kbd, Loader, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

export interface SearchBoxProps {
  query: string;
  isSearching: boolean;
  onSearch: (query: string) => void;
}

/** Searches on Enter, not with each letter: each search counts for the agent. */
export function SearchBox({ query, isSearching, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(query);
  const input = useRef<HTMLInputElement>(null);
  useHotkeys([['/', () => input.current?.focus()]]);
  const { state } = useLocation();
  useEffect(() => {
    if (state.typing) input.current?.select();
  }, [state]);
  const clear = () => {
    setText('');
    onSearch('');
    input.current?.focus();
  };
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <TextInput
          ref={input}
          size="md"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          aria-label="Search query"
          aria-keyshortcuts="/ Control+K"
          placeholder="What should an action do? For example: weather forecast for a city"
          enterKeyHint="search"
          leftSection={isSearching ? <Loader size={16} role="img" aria-label="Searching" /> : <IconSearch size={18} aria-hidden />}
          rightSection={
            text === '' ? (
              <Kbd aria-hidden>/</Kbd>
            ) : (
              <ActionIcon variant="subtle" color="gray" onClick={clear} aria-label="Clear the search">
                <IconX size={16} />
              </ActionIcon>
            )
          }
        />
      </form>
    </search>
  );
}
