/** A toolkit whose actions are the operations of an OpenAPI document. */
import type { Toolkit, ToolkitOptions } from 'svc-sdk';
import { DescribedToolkit } from '../described-toolkit';
import { withFittingShapes } from '../fitting-shapes';
import { type ImportOpenapiOptions, importOpenapi } from './import-openapi';

export interface OpenapiToolkitOptions extends ImportOpenapiOptions {
  /** The parsed document, or its text as JSON or YAML. */
  document: unknown;
  /** Connection to the service. `apiKey` defaults to SVC_TOOLKIT_API_KEY; an action that the service rejects does not end the others. */
  toolkit?: ToolkitOptions | undefined;
}

/**
 * Makes the toolkit, not yet running: `await (await openapiToolkit({ document, auth })).run()`. Rejects with INVALID_REQUEST for an invalid
 * document or option, and like `new Toolkit`.
 */
export async function openapiToolkit({ document, toolkit: options, ...importOptions }: OpenapiToolkitOptions): Promise<Toolkit> {
  const { toolkit: details, profile, actions, authOf } = importOpenapi(document, importOptions);
  const toolkit = new DescribedToolkit({ onRejected: 'skip', ...options });
  const auth = authOf(actions.map(({ action }) => action));
  await toolkit.updateToolkit({ ...details, ...(auth && { auth }) });
  toolkit.setActions(withFittingShapes(actions));
  void toolkit.describe(profile);
  return toolkit;
}
