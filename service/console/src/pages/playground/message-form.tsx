import { ActionIcon, Button, FileButton, Group, Text, Textarea } from '@mantine/core';
import { IconPhoto, IconX } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useState } from 'react';

export interface MessageFormProps {
  isRunning: boolean;
  onSend: (text: string, images: readonly string[]) => void;
  onStop: () => void;
}

const MOST_BYTES = 5_000_000;
const TYPES = 'image/png,image/jpeg,image/webp,image/gif';

export function MessageForm({ isRunning, onSend, onStop }: MessageFormProps) {
  const [text, setText] = useState('');
  const [images, setImages] = useState<readonly string[]>([]);
  const [refusal, setRefusal] = useState<string>();
  const attach = async (files: readonly File[]) => {
    const fits = files.filter(({ type, size }) => TYPES.split(',').includes(type) && size <= MOST_BYTES);
    setRefusal(fits.length === files.length ? undefined : 'Attach PNG, JPEG, WebP or GIF images of at most 5 MB each.');
    const read = await Promise.all(fits.map(toDataUrl));
    setImages((former) => [...new Set([...former, ...read])]);
  };
  const send = () => {
    if (isRunning || (text.trim() === '' && images.length === 0)) return;
    onSend(text.trim(), images);
    setText('');
    setImages([]);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form onSubmit={submit}>
      {images.length > 0 && (
        <Group gap="xs" mb="xs">
          {images.map((url, index) => (
            <Group key={url} gap={2} wrap="nowrap" align="flex-start">
              <img src={url} alt={`Attached file ${index + 1}`} className="playground-thumbnail" />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove image ${index + 1}`}
                onClick={() => setImages((former) => former.filter((_, at) => at !== index))}
              >
                <IconX size={14} />
              </ActionIcon>
            </Group>
          ))}
        </Group>
      )}
      {refusal && (
        <Text size="sm" c="var(--text-alarming)" role="alert" mb={4}>
          {refusal}
        </Text>
      )}
      <Textarea
        label="Message"
        placeholder="Ask for something that takes an action"
        autosize
        minRows={2}
        maxRows={8}
        value={text}
        dir="auto"
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={({ clipboardData }) => clipboardData.files.length > 0 && void attach([...clipboardData.files])}
      />
      <Group justify="space-between" mt="xs">
        <FileButton onChange={(files) => void attach(files)} accept={TYPES} multiple>
          {(props) => (
            <Button {...props} size="sm" variant="default" leftSection={<IconPhoto size={16} aria-hidden />}>
              Attach images
            </Button>
          )}
        </FileButton>
        {isRunning ? (
          <Button size="sm" color="red.9" onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button size="sm" type="submit">
            Send
          </Button>
        )}
      </Group>
    </form>
  );
}

function toDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
