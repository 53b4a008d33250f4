/** The chat of one conversation. */
import { Alert, Box, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Markdown } from '../../parts/markdown';
import type { ConversationState, PlaygroundConversation } from './conversation/conversation';
import { ToolCallItem } from './tool-call';

function useConversation(conversation: PlaygroundConversation): ConversationState {
  return useSyncExternalStore(conversation.subscribe, () => conversation.state);
}

export function Chat({ conversation, label }: { conversation: PlaygroundConversation; label: string }) {
  const { items, status, failure } = useConversation(conversation);
  const end = useRef<HTMLDivElement>(null);
  const length = items.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls with each new item
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not.
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [length, status]);
  return (
    <Stack gap="sm" component="section" aria-label={label} className="playground-chat">
      {items.map((item) => {
        if (item.kind === 'tool') return <ToolCallItem key={item.id} item={item} />;
        if (item.kind === 'user')
          return (
            <Box key={item.id} className="playground-said">
              <Text size="sm" className="written" dir="auto">
                {item.text}
              </Text>
              {item.images.map((url) => (
                <img key={url} src={url} alt="Attached" className="playground-image" />
              ))}
            </Box>
          );
        return item.text === '' ? null : <Markdown key={item.id} text={item.text} />;
      })}
      {status === 'running' && <Loader size="xs" type="dots" aria-label="The model works" />}
      {status === 'failed' && (
        <Alert color="red" variant="light" role="alert">
          <Text size="sm">{failure}</Text>
          <Group mt="xs">
            <Button size="xs" variant="default" onClick={() => void conversation.goOn()}>
              Try again
            </Button>
          </Group>
        </Alert>
      )}
      {status === 'paused' && (
        <Alert variant="light">
          <Text size="sm">The model has taken many turns for this message without an end.</Text>
          <Button size="xs" variant="default" mt="xs" onClick={() => void conversation.goOn()}>
            Go on
          </Button>
        </Alert>
      )}
      <div ref={end} />
    </Stack>
  );
}
