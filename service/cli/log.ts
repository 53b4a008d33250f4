/** The log of `svc-service serve` and of its child: JSON lines on stderr, without secrets and printable. */
import { type Logger, pino } from 'pino';
import { redactor } from '#sdk/cli/redact';
import { printableJson } from '#sdk/protocol/invisible-text';

const SECRET_FIELDS = ['authorization', 'password', 'apiKey', 'token', 'secret', 'cookie', 'clientSecret', 'connectionString'];

export function openLog(level: string, redact = redactor(process.env)): Logger {
  return pino(
    {
      level,
      // pino prints an Error in any other field than `err` as {}.
      serializers: { error: pino.stdSerializers.err },
      redact: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      hooks: { streamWrite: (line) => printableJson(redact(line)) },
    },
    pino.destination(2),
  );
}
