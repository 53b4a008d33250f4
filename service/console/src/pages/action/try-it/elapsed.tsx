import { Loader, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { formatMs } from '../../../parts/format';

/** @param since a value of `performance.now()` */
export function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(() => performance.now());
  useInterval(() => setNow(performance.now()), 100, { autoInvoke: true });
  return (
    <>
      <Loader size="xs" role="img" aria-label="Running" />
      <Text size="sm" c="dimmed" className="numbers" role="timer">
        {formatMs(Math.max(0, Math.round((now - since) / 100) * 100))}
      </Text>
    </>
  );
}
