import { SvcError } from '../../protocol/errors';

export type OpenTelemetry = typeof import('@opentelemetry/api');

/** OpenTelemetry's API, an optional peer: loaded when somebody asks for traces. What records and exports them is the application's own choice. */
export async function loadOpenTelemetry(): Promise<OpenTelemetry> {
  try {
    return await import('@opentelemetry/api');
  } catch (error) {
    const message = 'Traces need the package "@opentelemetry/api", which cannot be loaded; run: npm install @opentelemetry/api';
    throw new SvcError('INVALID_REQUEST', message, {}, { cause: error });
  }
}
