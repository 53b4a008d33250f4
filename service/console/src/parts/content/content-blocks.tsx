/** Images, files and links of a result. Nothing is loaded from elsewhere, and no file is opened in the page. */
import { Anchor, Stack, Text } from '@mantine/core';
import { type ContentBlock, describeBlock, fileName, isBase64 } from '#sdk/protocol/content';
import { Markdown } from '../markdown';
import { DownloadButton } from './download-button';
import { bytesOf } from './file-bytes';
import { LargeText } from './large-text';

/** Pictures without scripts, which every browser shows. */
const SHOWN_IMAGES: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp', 'image/gif': 'gif' };

export function ContentBlocks({ blocks }: { blocks: readonly ContentBlock[] }) {
  return (
    <Stack gap="sm" component="ul" className="plain-list" aria-label="Images and files">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of one result stay where they are
        <li key={index}>
          <Block block={block} number={index + 1} />
        </li>
      ))}
    </Stack>
  );
}

function Block({ block, number }: { block: ContentBlock; number: number }) {
  switch (block.type) {
    case 'text':
      return <Markdown text={block.text} />;
    case 'image':
    case 'audio':
      return <Media block={block} number={number} />;
    case 'resource':
      return <File block={block} />;
    case 'resource_link':
      return /^https?:\/\//i.test(block.uri) ? (
        <Anchor size="sm" href={block.uri} target="_blank" rel="nofollow noopener noreferrer" className="names" dir="auto">
          {block.title ?? block.name}
        </Anchor>
      ) : (
        <Described block={block} />
      );
  }
}

function Described({ block }: { block: ContentBlock }) {
  return (
    <Text size="sm" className="written" dir="auto">
      {describeBlock(block)}
    </Text>
  );
}

/** The record of a call has the size of what is too large for it, in the place of the bytes. */
function NotStored({ words }: { words: string }) {
  return (
    <Text size="sm" className="written" dir="auto">
      [{words}]{' '}
      <Text span size="sm" c="dimmed">
        Not stored: larger than the maximum stored size (see Settings)
      </Text>
    </Text>
  );
}

function Media({ block, number }: { block: Extract<ContentBlock, { data: string }>; number: number }) {
  const { type, mimeType, data } = block;
  if (!isBase64(data)) return <NotStored words={`${type} ${mimeType}, ${data}`} />;
  const extension = type === 'image' ? SHOWN_IMAGES[mimeType] : undefined;
  const name = `${type}-${number}.${extension ?? (mimeType.split('/')[1] ?? 'bin').replace(/[^a-z0-9]/gi, '')}`;
  return (
    <Stack gap="xs" align="flex-start">
      {extension && (
        <img
          className="content-image"
          src={`data:${mimeType};base64,${data}`}
          alt={`Number ${number} of the result: ${describeBlock(block)}`}
        />
      )}
      <DownloadButton name={name} content={() => bytesOf(data)} />
    </Stack>
  );
}

function File({ block }: { block: Extract<ContentBlock, { type: 'resource' }> }) {
  const { text, blob, mimeType } = block.resource;
  const name = fileName(block.resource);
  if (text !== undefined && mimeType !== 'text/markdown') return <LargeText text={text} label={name} fileName={name} isFile />;
  if (text !== undefined)
    return (
      <Stack gap="xs" align="flex-start">
        <Markdown text={text} />
        <DownloadButton name={name} content={() => text} />
      </Stack>
    );
  if (blob === undefined) return <Described block={block} />;
  if (!isBase64(blob)) return <NotStored words={`file ${name}, ${mimeType === undefined ? blob : `${mimeType}, ${blob}`}`} />;
  return <DownloadButton name={name} content={() => bytesOf(blob)} />;
}
