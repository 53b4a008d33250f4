/** The catalogue that a toolkit is linted in: a running service's, or that of a temporary service with the toolkit alone. */
import { basename } from 'node:path';
import { type RejectedAction, Toolkit } from 'svc-sdk';
import { createService, type Service, type ToolkitRegistration } from 'svc-service';
import type { Terminal } from '#sdk/cli/terminal';
import { UsageError } from '#sdk/cli/usage-error';
import { isToolkitId, parseActionId, toToolkitId } from '#sdk/protocol/ids';
import { type CurrencyFlags, currencyOf } from '../currency';
import { CatalogClient, environmentCatalog } from './catalog-client';
import { commandOf, ToolkitProgram } from './program';

export interface LintPlace {
  catalog: CatalogClient;
  toolkitId: string;
  /** Actions that the service refused. */
  rejected: RejectedAction[];
  close(): Promise<void>;
}

export interface PlaceOptions extends CurrencyFlags {
  /** Id of the toolkit. */
  toolkit?: string;
  /** Adds all toolkits of a running service beside the program. */
  catalogue?: boolean;
}

/** The command's key must find actions of any price. It makes no call. */
const ANY_PRICE = '999999999999';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** A program may load slowly; one that never registers must not hang a build. */
const REGISTER_MS = 30_000;

/** The extension of a file's name; in `python3.12` it is a version. */
const EXTENSION = /\.[a-z]\w*$/i;

export async function openPlace(terminal: Terminal, program: readonly string[], options: PlaceOptions): Promise<LintPlace> {
  return program.length > 0 ? placeOfProgram(terminal, commandOf(program), program, options) : placeOfService(options);
}

async function placeOfService({ toolkit, catalogue }: PlaceOptions): Promise<LintPlace> {
  if (toolkit === undefined) {
    const message =
      'Name the program that serves your toolkit (svc-service lint weather.mjs), or a toolkit of a running service (--toolkit weather)';
    throw new UsageError(message);
  }
  if (catalogue) throw new UsageError('--catalogue goes with a program; without one the whole service is searched anyway');
  return { catalog: environmentCatalog(), toolkitId: toolkit, rejected: [], close: async () => {} };
}

async function placeOfProgram(
  terminal: Terminal,
  command: string[],
  written: readonly string[],
  options: PlaceOptions,
): Promise<LintPlace> {
  const toolkitId = options.toolkit ?? idOf(written);
  if (!isToolkitId(toolkitId)) throw new UsageError(`"${toolkitId}" is not a toolkit id; write one such as "${toToolkitId(toolkitId)}"`);
  const beside = options.catalogue ? environmentCatalog() : undefined;
  const { promise: registered, resolve } = Promise.withResolvers<ToolkitRegistration>();
  const onRegistration = (registration: ToolkitRegistration) => {
    if (registration.toolkit.id === toolkitId) resolve(registration);
  };
  const service = await createService({ port: 0, currency: currencyOf(options), onRegistration });
  const closing: (() => Promise<unknown>)[] = [() => service.close()];
  const close = async () => {
    for (const step of closing) await step();
  };
  // The program is in a separate process group, so Ctrl-C does not reach it.
  void terminal
    .stopped()
    .then(close)
    .finally(() => process.exit(1));
  try {
    if (beside) closing.unshift(await serveCatalogue(beside, service, toolkitId));
    const { key } = await service.keys.create({ kind: 'toolkit', name: toolkitId, toolkit: toolkitId });
    const running = new ToolkitProgram(command, { SVC_BASE_URL: service.url, SVC_TOOLKIT_API_KEY: key });
    closing.unshift(() => running.stop());
    const { rejected } = await running.until(registered, REGISTER_MS);
    const agent = await service.keys.create({ kind: 'agent', name: 'lint', budget: { perCall: ANY_PRICE, perDay: ANY_PRICE } });
    return { catalog: new CatalogClient({ url: service.url, apiKey: agent.key }), toolkitId, rejected, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** `toolkits/weather.mjs` -> `weather`, `python3.12 weather.py` too. */
function idOf(words: readonly string[]): string {
  const script = words.find((word) => EXTENSION.test(word)) ?? '';
  return toToolkitId(basename(script).replace(EXTENSION, ''));
}

/** Serves the other online toolkits of a running service without their handlers: the linter reads only their texts. */
async function serveCatalogue(catalog: CatalogClient, service: Service, ownId: string): Promise<() => Promise<unknown>> {
  const online = (await catalog.actions()).filter((action) => action.online && action.toolkit !== ownId);
  const actions = Map.groupBy(online, ({ toolkit }) => toolkit);
  const served: Toolkit[] = [];
  for (const { id, name, description } of await catalog.toolkits()) {
    const { key } = await service.keys.create({ kind: 'toolkit', name: id, toolkit: id });
    const toolkit = new Toolkit({ baseUrl: service.url, apiKey: key });
    await toolkit.updateToolkit({ name, description });
    for (const { action, description: actionDescription, payloadSchema, resultSchema, annotations } of actions.get(id) ?? []) {
      const actionName = parseActionId(action)?.actionName ?? action;
      // The mark keeps the schema of a result in words from being read as the short form of an object.
      const result = resultSchema && { resultDescription: { $schema: DIALECT, ...resultSchema } };
      toolkit.action({ action: actionName, actionDescription, payloadDescription: payloadSchema, ...result, annotations }, () => null);
    }
    if (!actions.has(id)) continue;
    // `ready` reports errors.
    toolkit.run().catch(() => {});
    await toolkit.ready;
    served.push(toolkit);
  }
  return () => Promise.all(served.map((toolkit) => toolkit.stop({ timeoutMs: 0 })));
}
