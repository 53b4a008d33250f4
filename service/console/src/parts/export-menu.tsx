/** Downloads a list as a file. */
import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';

export interface ExportMenuProps {
  /** The content of the file. */
  label: string;
  pathOf: (format: 'csv' | 'jsonl') => string;
}

export function ExportMenu({ label, pathOf }: ExportMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{label}</Menu.Label>
        <Menu.Item component="a" href={pathOf('csv')} download>
          CSV, for spreadsheets
        </Menu.Item>
        <Menu.Item component="a" href={pathOf('jsonl')} download>
          JSON lines, for programs
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
