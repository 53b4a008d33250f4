/** A call of a tool in the chat: what the model wrote, how far it is, what it read, and what a person has to decide. */
import { Anchor, Badge, Box, Button, Collapse, Group, Progress, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type ContentBlock, describeBlock, fileName } from '#sdk/protocol/content';
import { CodeBlock } from '../../parts/code-block';
import { FormError } from '../../parts/form-error';
import type { OpenQuestion, ToolItem } from './conversation/items';

const LOOKS = { running: ['blue', 'running'], done: ['brand', 'done'], failed: ['red', 'failed'] } as const;

export function ToolCallItem({ item }: { item: ToolItem }) {
  const { name, input, state, progress, answer, blocks, question } = item;
  const [isOpen, { toggle }] = useDisclosure(false);
  const [color, word] = LOOKS[state];
  const total = progress?.total;
  return (
    <Box className="playground-call">
      <UnstyledButton onClick={toggle} aria-expanded={isOpen} w="100%">
        <Group gap="xs" wrap="nowrap">
          <Text span size="sm" className="ids" truncate>
            {summaryOf(name, input)}
          </Text>
          <Badge color={color} variant="light" tt="none" ml="auto">
            {word}
          </Badge>
        </Group>
      </UnstyledButton>
      {state === 'running' && progress && (
        <Box mt={6}>
          {total !== undefined && <Progress value={(100 * progress.progress) / total} aria-label="Progress" size="sm" />}
          <Text size="xs" c="dimmed">
            {progress.message ?? (total === undefined ? `${progress.progress}` : `${progress.progress} of ${total}`)}
          </Text>
        </Box>
      )}
      {question && <QuestionBox question={question} />}
      {blocks?.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of an answer keep their places
        <Block key={index} block={block} />
      ))}
      <Collapse expanded={isOpen}>
        <Box mt="xs">
          <CodeBlock code={indented(input)} label={`Arguments of ${name}`} maxHeight={200} wrap />
          {answer !== undefined && (
            <Box mt="xs">
              <CodeBlock code={indented(answer)} label={`Answer to ${name}, as the model reads it`} maxHeight={300} wrap />
            </Box>
          )}
        </Box>
      </Collapse>
    </Box>
  );
}

function Block({ block }: { block: ContentBlock }) {
  if (block.type === 'image')
    return <img src={`data:${block.mimeType};base64,${block.data}`} alt={describeBlock(block)} className="playground-image" />;
  if (block.type === 'resource' && block.resource.blob !== undefined) {
    const { mimeType = 'application/octet-stream', blob } = block.resource;
    return (
      <Anchor size="sm" display="block" mt="xs" href={`data:${mimeType};base64,${blob}`} download={fileName(block.resource)}>
        Download {fileName(block.resource)}
      </Anchor>
    );
  }
  return (
    <Text size="sm" mt="xs" className="written" dir="auto" lineClamp={12}>
      {block.type === 'text' ? block.text : describeBlock(block)}
    </Text>
  );
}

function QuestionBox({ question }: { question: OpenQuestion }) {
  return (
    <Box className="playground-question" role="group" aria-label="A decision for you" mt="xs">
      {question.kind === 'approval' ? <Approval question={question} /> : <Connect question={question} />}
    </Box>
  );
}

function Approval({ question: { action, payload, decide } }: { question: Extract<OpenQuestion, { kind: 'approval' }> }) {
  const deciding = useMutation({ mutationFn: decide });
  return (
    <>
      <Text size="sm" fw={600}>
        May it run <span className="ids">{action ?? 'this call'}</span>?
      </Text>
      <CodeBlock
        code={typeof payload === 'string' ? payload : JSON.stringify(payload, undefined, 2)}
        label="Payload that would run"
        maxHeight={160}
        wrap
      />
      <FormError error={deciding.error} />
      <Group gap="xs" mt="xs">
        <Button size="xs" loading={deciding.isPending} onClick={() => deciding.mutate('approve')}>
          Approve
        </Button>
        <Button size="xs" variant="default" disabled={deciding.isPending} onClick={() => deciding.mutate('deny')}>
          Deny
        </Button>
      </Group>
    </>
  );
}

function Connect({ question: { required, connected } }: { question: Extract<OpenQuestion, { kind: 'connect' }> }) {
  return (
    <>
      <Text size="sm" fw={600}>
        The toolkit {required.toolkit} needs your account.
      </Text>
      <Group gap="xs" mt="xs">
        <Button size="xs" component="a" href={required.url} target="_blank" rel="noreferrer">
          Connect it
        </Button>
        <Button size="xs" variant="default" onClick={() => connected(true)}>
          I have connected it
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={() => connected(false)}>
          Go on without
        </Button>
      </Group>
    </>
  );
}

function summaryOf(name: string, input: string): string {
  try {
    const { query, action } = JSON.parse(input) as { query?: unknown; action?: unknown };
    if (typeof query === 'string') return `search: ${query}`;
    if (typeof action === 'string') return action;
  } catch {
    return `${name}, with arguments that are not JSON`;
  }
  return name;
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}
