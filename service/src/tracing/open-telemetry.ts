import { packageError } from '#sdk/protocol/package-error';

export type OpenTelemetry = typeof import('@opentelemetry/api');

/** OpenTelemetry's API, an optional peer: loaded when traces are enabled. The application chooses the SDK that records and exports them. */
export async function loadOpenTelemetry(): Promise<OpenTelemetry> {
  try {
    return await import('@opentelemetry/api');
  } catch (error) {
    throw packageError('Tracing', '@opentelemetry/api', error);
  }
}
