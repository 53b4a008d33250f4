/** Plain request-reply, on one connection, as the service's nodes talk to each other. */
import { connect } from '@nats-io/transport-node';
import type { LoadJob } from './job.ts';
import type { Line } from './line.ts';

const PATIENCE_MS = 10_000;

export async function openNats(origin: string, { path, body, echo }: LoadJob): Promise<Line> {
  const connection = await connect({ servers: origin });
  return {
    call: async () => {
      try {
        const text = (await connection.request(path, body, { timeout: PATIENCE_MS })).string();
        return text.includes(echo) ? undefined : `not the echo: ${text.length} characters for ${echo.length}`;
      } catch (error) {
        return String(error);
      }
    },
    close: () => connection.close(),
  };
}
