/** Reads the part of a running service's catalogue that an agent key sees, and its search results. */
import { Tools } from 'svc-sdk';
import { agentService } from '#sdk/cli/environment';
import { type ServiceAddress, serviceRequest } from '#sdk/cli/service-request';
import { type ActionsPage, type CatalogAction, type CatalogToolkit, PATHS, type ToolkitsPage } from '#sdk/protocol/http';

/** As many as `/v1/search` gives at most, and room for nearly all of them in full: those that are only named stand behind the others. */
const MOST_RESULTS = 50;
const MOST_TOKENS = 20_000;
const PAGE = 200;

export class CatalogClient {
  readonly #service: ServiceAddress;
  readonly #tools: Tools;

  constructor({ url, apiKey }: ServiceAddress) {
    this.#service = { url, apiKey };
    this.#tools = new Tools({ baseUrl: url, apiKey });
  }

  /** Rejects with TOOLKIT_NOT_FOUND. */
  toolkit(id: string): Promise<CatalogToolkit> {
    return serviceRequest(this.#service, 'GET', `${PATHS.toolkits}/${encodeURIComponent(id)}`);
  }

  toolkits(): Promise<CatalogToolkit[]> {
    return this.#all<ToolkitsPage, CatalogToolkit>(PATHS.toolkits, ({ toolkits }) => toolkits);
  }

  actions(): Promise<CatalogAction[]> {
    return this.#all<ActionsPage, CatalogAction>(PATHS.actions, ({ actions }) => actions);
  }

  /** Rejects with ACTION_NOT_FOUND. */
  action(id: string): Promise<CatalogAction> {
    return serviceRequest(this.#service, 'GET', `${PATHS.actions}/${encodeURIComponent(id)}`);
  }

  /** Action ids in the order that a model gets, best first. */
  async search(query: string): Promise<string[]> {
    const { actions, more = [] } = await this.#tools.search(query, { limit: MOST_RESULTS, maxTokens: MOST_TOKENS });
    const found = more.filter(({ mentionedBy }) => mentionedBy === undefined);
    return [...actions, ...found].map(({ action }) => action);
  }

  async #all<Page extends { nextCursor?: string }, Item>(path: string, itemsOf: (page: Page) => Item[]): Promise<Item[]> {
    const items: Item[] = [];
    let cursor: string | undefined;
    do {
      const query = new URLSearchParams({ limit: `${PAGE}`, ...(cursor !== undefined && { cursor }) });
      const page: Page = await serviceRequest(this.#service, 'GET', `${path}?${query}`);
      items.push(...itemsOf(page));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return items;
  }
}

/** The service and the agent key of the environment. */
export function environmentCatalog(): CatalogClient {
  return new CatalogClient(agentService());
}
