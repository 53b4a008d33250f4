import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { saveFile } from './file-bytes';

export interface DownloadButtonProps {
  name: string;
  content: () => BlobPart;
}

export function DownloadButton({ name, content }: DownloadButtonProps) {
  return (
    <Button
      variant="default"
      size="xs"
      className="names"
      leftSection={<IconDownload size={14} aria-hidden />}
      onClick={() => saveFile(name, content())}
    >
      Download {name}
    </Button>
  );
}
