import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';

/** A banner above every page while the service does not answer. */
export function ServiceLost() {
  return (
    <Alert className="service-lost" color="orange" role="status" p="sm" mb="md" icon={<IconPlugConnectedX size={18} />}>
      The service does not answer. This page may be out of date; it refreshes when the service is back.
    </Alert>
  );
}
