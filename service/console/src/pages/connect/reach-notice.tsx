/** The limits of an address that is not public. */
import { Alert, Code } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { Reach } from './reach';

export function ReachNotice({ reach }: { reach: Reach }) {
  if (reach === 'everywhere') return null;
  return (
    <Alert color="gray" variant="light" icon={<IconInfoCircle size={18} />} title={TITLES[reach]}>
      Claude and ChatGPT call from their own servers. They need an address on the internet with https and port 443: run the service behind a
      proxy with TLS, and start it with <Code>--public-url https://tools.example.com</Code>.
      {reach === 'this network' && ' Without --public-url, apps can sign in only on the computer of the service.'}
    </Alert>
  );
}

const TITLES = {
  'this computer': 'Only clients on this computer can reach this address',
  'this network': 'Only clients that reach this address from their network can use it',
} as const;
