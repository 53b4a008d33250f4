/** The log of `svc-sdk serve`: JSON lines on stderr, without secrets. */
import { type Logger, pino } from 'pino';
import { redactor } from './redact';

const SECRET_FIELDS = ['authorization', 'password', 'apiKey', 'token', 'secret', 'connectionString'];

export function openLog(level: string): Logger {
  return pino(
    {
      level,
      // pino prints an Error under any other name than `err` as {}.
      serializers: { error: pino.stdSerializers.err },
      redact: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      hooks: { streamWrite: redactor(process.env) },
    },
    pino.destination(2),
  );
}
