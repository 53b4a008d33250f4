import { createService, type Settle } from 'svc-service';

/** Runs a service on `SVC_DATA` and `PORT` until a signal. */
export async function serveSettled(settle: Settle): Promise<void> {
  const { SVC_DATA = 'svc-data', PORT = '8787' } = process.env;
  const report = (fields: object, message: string) => console.error(message, fields);
  const service = await createService({ data: SVC_DATA, port: Number(PORT), settle, logger: { info() {}, warn: report, error: report } });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void service.close());
  console.log(`The service listens on ${service.url}`);
}

/** @throws Error with the name of the variable that is not set */
export function variable(name: string, otherwise?: string): string {
  const value = process.env[name] || otherwise;
  if (value === undefined) throw new Error(`Set the variable ${name}`);
  return value;
}
