/** The flags of `svc-service serve` for the NATS between nodes. Passwords have no flags: other users can read a command line. */
import { type Command, Option } from 'commander';
import type { NatsOptions } from 'svc-service';
import { notEmpty } from '#sdk/cli/options';
import { UsageError } from '#sdk/cli/usage-error';

export interface NatsFlags {
  nats?: string;
  natsCredentials?: string;
  natsTlsCa?: string;
  natsTlsCert?: string;
  natsTlsKey?: string;
  natsPrefix?: string;
}

export function addNatsFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--nats <url>',
        'NATS between several nodes, such as nats://host:4222, commas between several; with a password in it better by the variable',
      )
        .env('SVC_NATS_URL')
        .argParser(notEmpty('SVC_NATS_URL')),
    )
    .option('--nats-credentials <file>', 'credentials file for NATS')
    .option('--nats-tls-ca <file>', 'certificate of the authority of the certificate of NATS, PEM')
    .option('--nats-tls-cert <file>', 'own certificate for NATS, PEM; with --nats-tls-key')
    .option('--nats-tls-key <file>', 'its key')
    .option('--nats-prefix <word>', 'first word of all subjects, where several services share one NATS (default: svc)');
}

/** Undefined without such a flag. Throws UsageError if another NATS flag is set without the address. */
export function natsOf(flags: NatsFlags): NatsOptions | undefined {
  const { nats, natsCredentials: credentials, natsTlsCa: caFile, natsTlsCert: certFile, natsTlsKey: keyFile, natsPrefix: prefix } = flags;
  const hasTls = [caFile, certFile, keyFile].some((file) => file !== undefined);
  // An empty variable counts as unset.
  if (!nats) {
    if (hasTls || credentials !== undefined || prefix !== undefined)
      throw new UsageError('An option of NATS needs its address too: give --nats or set SVC_NATS_URL');
    return undefined;
  }
  return { servers: nats, credentials, prefix, tls: hasTls ? { caFile, certFile, keyFile } : undefined };
}
