/** Toolkits of real documents and MCP servers, connected to a service. */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Toolkit } from 'svc-sdk';
import type { Service } from 'svc-service';
import { mcpToolkit, openapiToolkit } from 'svc-service/import';
import { exampleToolkits, provideUvx, withCertificates } from '../../scripts/imports/example-toolkits.ts';
import { DOCUMENT_IDS, realDocuments } from '../../scripts/imports/real-documents.ts';
import { readDescriptions } from '../../service/import/described-actions.ts';

const DESCRIBED = fileURLToPath(new URL('../../examples/describe/', import.meta.url));
/** Some documents name only relative servers. Nothing is called. */
const ANY_BASE_URL = 'https://api.example.com';

export interface RunningCatalogue {
  toolkits: number;
  stop(): Promise<void>;
}

/**
 * Whole documents, and the MCP servers of `examples/toolkits.yaml` without their filters.
 *
 * @param described with the files of `examples/describe`
 */
export async function startImports(
  service: Service,
  { cache, described }: { cache: string; described: boolean },
): Promise<RunningCatalogue> {
  const running: Toolkit[] = [];
  const keyOf = async (id: string) => ({
    baseUrl: service.url,
    apiKey: (await service.keys.create({ kind: 'toolkit', name: id })).key,
  });
  const start = async (id: string, toolkit: Toolkit) => {
    running.push(toolkit);
    void toolkit.run();
    const { accepted } = await toolkit.ready;
    if (accepted.length === 0) throw new Error(`${id} has no action`);
  };
  const stop = async () => void (await Promise.all(running.map((toolkit) => toolkit.stop({ timeoutMs: 100 }))));
  try {
    for (const [id, document] of realDocuments(cache, DOCUMENT_IDS)) {
      const describe = described && existsSync(join(DESCRIBED, `${id}.yaml`)) ? await readDescriptions(`${id}.yaml`, DESCRIBED) : undefined;
      await start(id, await openapiToolkit({ document, toolkitId: id, baseUrl: ANY_BASE_URL, describe, toolkit: await keyOf(id) }));
    }
    provideUvx(cache);
    for (const [id, entry] of Object.entries(exampleToolkits(tmpdir()))) {
      const started = withCertificates(entry);
      if ('mcp' in started) await start(id, await mcpToolkit({ server: started.mcp, toolkitId: id, toolkit: await keyOf(id) }));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { toolkits: running.length, stop };
}
