/** `svc-service serve`: the service on this machine, with its data in a directory. */
import { type Command, Option } from 'commander';
import {
  type CatalogueAccess,
  createService,
  type DataPlace,
  type Durability,
  type LearningSetting,
  type Limits,
  type RuleDefaults,
} from 'svc-service';
import { type Parts, styled } from '#sdk/cli/line';
import { collect, nameAndNumber, notEmpty, parseWholeNumber, portNumber } from '#sdk/cli/options';
import type { Terminal } from '#sdk/cli/terminal';
import { allowedOriginOption } from './allowed-origin';
import { addConsoleFlags, appsWords, type ConsoleFlags, consoleOf, consoleWords } from './console';
import { type CurrencyFlags, currencyOf, currencyOption } from './currency';
import { type EmbeddingsFlags, embeddingsOf } from './embeddings';
import { ImporterProcess } from './importer-process';
import { addLedgerWebhookFlag, type LedgerWebhookFlags, ledgerWebhookOf } from './ledger-webhook';
import { openLog } from './log';
import { addNatsFlags, type NatsFlags, natsOf } from './nats';
import { addPlaceFlags, type PlaceFlags, placeOf, placeWords, shownPlace } from './place';
import { rankWeightsOf } from './rank-weights';
import { addReviewFlags, type ReviewFlags } from './review-flags';
import { addRuleDefaultFlag, type RuleDefaultFlag } from './rule-default-flag';
import { keepYoungCollectionsShort } from './young-collections';

interface ServeOptions
  extends PlaceFlags,
    EmbeddingsFlags,
    NatsFlags,
    ConsoleFlags,
    ReviewFlags,
    RuleDefaultFlag,
    CurrencyFlags,
    LedgerWebhookFlags {
  port: number;
  host: string;
  durability?: Durability;
  allowedHost?: string[];
  allowedOrigin?: string[];
  limit?: Record<string, number>;
  rankWeights?: string;
  learning: LearningSetting;
  metrics?: true;
  tracing?: true;
  code?: true;
  catalogue?: CatalogueAccess;
  privateProviderHost?: string[];
  toolkits?: string;
  drainSeconds: number;
  logLevel: string;
}

export function addServeCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('serve')
    .description('Run the service')
    .option('--port <port>', 'port; 0 takes any free one', portNumber, 8787)
    .option('--host <address>', 'address to listen on; 0.0.0.0 opens it to the network', '127.0.0.1')
    .option('--allowed-host <name>', 'name by which MCP clients call it, such as tools.example.com; may be given several times', collect)
    .addOption(allowedOriginOption())
    .addOption(
      new Option(
        '--durability <what>',
        'what survives a loss of power too: full, or normal for all but the last of it (default: full with a database, normal with a directory)',
      ).choices(['normal', 'full']),
    )
    .addOption(currencyOption())
    .option('--limit <name=value>', 'change a limit, may be given several times; docs/limits.md lists them', nameAndNumber)
    .option(
      '--embeddings-url <url>',
      'search by meaning too, with an OpenAI-compatible API such as http://localhost:11434/v1; its key: SVC_EMBEDDINGS_API_KEY',
    )
    .option('--embeddings-model <name>', 'the model of --embeddings-url')
    .option('--embeddings-dimensions <number>', 'size of its vectors, where the model leaves a choice', parseWholeNumber)
    .option('--embeddings-deadline-ms <ms>', 'how long a search waits for the vector of its query (default: 300)', parseWholeNumber)
    .option('--rank-weights <file>', 'weights of the second stage of search, as learn:rank writes them; off leaves it out')
    .addOption(
      new Option(
        '--learning <what>',
        'what to keep of queries, so that search gets better with use: their terms hashed, their text, or nothing',
      )
        .choices(['off', 'hashed', 'text'])
        .default('hashed'),
    )
    .option(
      '--metrics',
      'count and time what happens, for Prometheus at /metrics; with SVC_METRICS_TOKEN, only for who sends it as bearer token',
    )
    .option('--code', 'run programs of models for agent keys with --code, in a process of their own; needs the package quickjs-wasi')
    .addOption(
      new Option('--catalogue <readers>', 'who may read the pages of toolkits at /catalogue (default: members)')
        .choices(['public', 'members'])
        .env('SVC_CATALOGUE'),
    )
    .option('--tracing', 'record an OpenTelemetry span for every call; docs/operations.md shows how to load an SDK')
    .option(
      '--private-provider-host <host>',
      'host of an OAuth provider of kept connections that may have a private address or no TLS; may be given several times',
      collect,
    )
    .option(
      '--toolkits <file>',
      'also serve the toolkits of this toolkits.yaml, in a child process; owners can then add more in the console, with commands that run on this machine',
      notEmpty(),
    )
    .addOption(
      new Option('--log-level <level>', 'what to log, as JSON on stderr').choices(['silent', 'error', 'warn', 'info']).default('warn'),
    )
    .option(
      '--drain-seconds <seconds>',
      'at the end, how long running calls may take and toolkits have to move to other nodes',
      parseWholeNumber,
      25,
    )
    .addHelpText(
      'after',
      `
Ctrl-C or SIGTERM stops it, a second one at once. Make keys beside it with:
  svc-service keys create --help`,
    )
    .action((options: ServeOptions) => serve(terminal, options));
  addPlaceFlags(command, 'directory for what must last');
  addNatsFlags(command);
  addConsoleFlags(command);
  addReviewFlags(command);
  addRuleDefaultFlag(command);
  addLedgerWebhookFlag(command);
}

async function serve(
  terminal: Terminal,
  {
    port,
    host,
    allowedHost,
    allowedOrigin,
    durability,
    limit,
    learning,
    metrics,
    tracing,
    code,
    catalogue,
    privateProviderHost,
    toolkits,
    drainSeconds,
    logLevel,
    ...flags
  }: ServeOptions,
): Promise<void> {
  keepYoungCollectionsShort();
  const place = placeOf(flags);
  const stopped = terminal.stopped();
  const logger = openLog(logLevel);
  const embeddings = embeddingsOf(flags);
  const rankWeights = flags.rankWeights === undefined ? undefined : rankWeightsOf(flags.rankWeights);
  const withConsole = consoleOf(flags);
  const ledgerWebhook = ledgerWebhookOf(flags);
  const importer = toolkits === undefined ? undefined : new ImporterProcess({ file: toolkits, logLevel, logger });
  const service = await createService({
    port,
    host,
    allowedHosts: allowedHost,
    allowedOrigins: allowedOrigin,
    ...(typeof place === 'string' ? { data: place } : place),
    durability,
    nats: natsOf(flags),
    newActions: flags.newActions,
    changedActions: flags.changedActions,
    ruleDefaults: flags.ruleDefault as RuleDefaults | undefined,
    currency: currencyOf(flags),
    learning,
    embeddings,
    rankWeights,
    metrics: metrics && { token: process.env.SVC_METRICS_TOKEN || undefined },
    tracing,
    code,
    catalogue,
    console: withConsole,
    secretsKey: process.env.SVC_SECRETS_KEY || undefined,
    connections: { privateHosts: privateProviderHost },
    smtpUrl: process.env.SVC_SMTP_URL || undefined,
    importer,
    ledgerWebhook,
    logger,
    limits: (limit ?? {}) as Partial<Limits>,
  });
  await importer?.start(service).catch(async (error: unknown) => {
    await importer.stop(0);
    await service.close();
    throw error;
  });
  const where = typeof place === 'string' ? 'data' : 'database';
  // Created once: each new link revokes the one before.
  const setupLink = withConsole ? await service.setupLink() : undefined;
  const { url } = service;
  const hasKeys = (await service.keys.list()).length > 0;
  const words: Parts = [
    'svc-sdk listens on ',
    styled('bold', url),
    ` (${where}: ${shownPlace(place)})`,
    ...(withConsole ? ['\n', ...consoleWords(setupLink, withConsole.publicUrl ?? url), `\n${appsWords(url, withConsole.publicUrl)}`] : []),
    ...(hasKeys ? [] : [`\n${keysText(place, withConsole ? 'Without a browser, make' : 'The service has no keys yet. Make')}`]),
  ];
  terminal.show({ url, [where]: shownPlace(place), toolkits, setupLink }, words);
  await stopped;
  await importer?.stop(drainSeconds * 1_000);
  await service.close({ graceMs: drainSeconds * 1_000 });
}

function keysText(place: DataPlace, make: string): string {
  const where = typeof place === 'string' ? 'in another terminal' : 'where SVC_DATABASE_URL names this database';
  return `${make} the first two keys, ${where}, with
  npx svc-service keys create --kind toolkit --name my-toolkit${placeWords(place)}
  npx svc-service keys create --kind agent --name my-agent${placeWords(place)}`;
}
