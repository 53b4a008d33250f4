/** The console of a service whose owners add toolkits: what `svc-service serve --toolkits` runs, in the process of the test. */
import { join } from 'node:path';
import type { Importer } from 'svc-service';
import { importToolkits, type RunningImports } from 'svc-service/import';
import { onTestFinished } from 'vitest';
import { openConsole, type TestConsole } from '../../../test/support/console';
import { makeFolder } from '../../../test/support/folder';

export interface ImportingConsole extends TestConsole {
  /** The path of `toolkits.yaml`. */
  folder: string;
}

export async function openImportingConsole(): Promise<ImportingConsole> {
  const { path: folder, remove } = makeFolder();
  onTestFinished(remove);
  const running = Promise.withResolvers<RunningImports>();
  const importer: Importer = {
    preview: async (request) => (await running.promise).preview(request),
    add: async (request, sha256) => (await running.promise).add(request, sha256),
    list: async () => (await running.promise).list(),
    approve: async (id, sha256) => (await running.promise).approve(id, sha256),
  };
  const service = await openConsole({ importer });
  const imports = await importToolkits({
    file: join(folder, 'toolkits.yaml'),
    baseUrl: service.url,
    keyOf: async (id) => (await service.keys.create({ kind: 'toolkit', name: id, toolkit: id })).key,
    env: { PATH: process.env.PATH, HOME: folder },
  });
  onTestFinished(() => imports.stop({ timeoutMs: 0 }));
  running.resolve(imports);
  return { ...service, folder };
}
