/** `/v1/imports`: toolkits of MCP servers and OpenAPI documents, for owners. A preview starts the command of its entry: docs/imports/console.md. */
import { SvcError } from '#sdk/protocol/errors';
import {
  addedImport,
  addImportRequest,
  approveImportRequest,
  importPreview,
  importRequest,
  importsPage,
} from '#sdk/protocol/import-schemas';
import type { Importer } from '#sdk/protocol/imports';
import { requireFreshSignIn } from '../../accounts/fresh-sign-in';
import { defineRoute } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';
import { actorOf } from './authorize';
import { refuseLiteralSecrets } from './refuse-literal-secrets';
import { sourceOf } from './source-of';

const access = { owner: 'import toolkits' } as const;

/** The body holds an uploaded document as a JSON text, in which every quote and line break is escaped. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

export const importRoutes = [
  defineRoute({
    id: 'listImports',
    summary: 'Imported toolkits, and their changes that are held',
    method: 'GET',
    path: '/v1/imports',
    access,
    answer: importsPage,
    handle: async (_, { importer }: AdminRouteDeps) => ({ available: importer !== undefined, imports: (await importer?.list()) ?? [] }),
  }),
  defineRoute({
    id: 'previewImport',
    summary: 'Preview a source as agents would see it',
    method: 'POST',
    path: '/v1/imports/preview',
    access,
    body: importRequest,
    bodyBytes: MAX_BODY_BYTES,
    answer: importPreview,
    async handle({ principal, body }, { importer, audit }: AdminRouteDeps) {
      requireFreshSignIn(principal);
      const chosen = requireImporter(importer);
      refuseLiteralSecrets(body.entry);
      await audit.write(actorOf(principal), 'import.preview', body.id, sourceOf(body));
      return chosen.preview(body);
    },
  }),
  defineRoute({
    id: 'addImport',
    summary: 'Write a source to toolkits.yaml, and serve it',
    method: 'POST',
    path: '/v1/imports',
    access,
    body: addImportRequest,
    bodyBytes: MAX_BODY_BYTES,
    answer: addedImport,
    status: 201,
    async handle({ principal, body: { sha256, ...request } }, { importer, online, audit, records }: AdminRouteDeps) {
      requireFreshSignIn(principal);
      const chosen = requireImporter(importer);
      refuseLiteralSecrets(request.entry);
      const { id } = request;
      // Agents could reach either of the two processes.
      const isImported = (await chosen.list()).some((one) => one.id === id);
      if (!isImported && online.replicas(id) > 0)
        throw new SvcError('CONFLICT', `Another process serves the toolkit "${id}": choose another id`);
      await chosen.add(request, sha256);
      await audit.write(actorOf(principal), 'import.add', id, { ...sourceOf(request), sha256 });
      records.changed('toolkits', 'keys');
      return { id };
    },
  }),
  defineRoute({
    id: 'approveImport',
    summary: 'Approve the held changes of an imported toolkit',
    method: 'POST',
    path: '/v1/imports/{id}/approve',
    access,
    body: approveImportRequest,
    async handle({ principal, params: { id }, body: { sha256 } }, { importer, audit, records }: AdminRouteDeps) {
      await requireImporter(importer).approve(id, sha256);
      await audit.write(actorOf(principal), 'import.approve', id, { sha256 });
      records.changed('toolkits');
    },
  }),
] as const;

function requireImporter(importer: Importer | undefined): Importer {
  if (importer) return importer;
  throw new SvcError(
    'NOT_FOUND',
    'This service adds no toolkits: start it with "svc-service serve --toolkits toolkits.yaml", or run "svc-service add" on the machine that serves them',
  );
}
