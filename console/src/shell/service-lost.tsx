import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';

/** Above every page while nothing comes from the service. */
export function ServiceLost() {
  return (
    <Alert className="service-lost" color="orange" role="status" p="sm" mb="md" icon={<IconPlugConnectedX size={18} />}>
      The service does not answer. What you see may be old; it is brought up to date by itself when the service is back.
    </Alert>
  );
}
