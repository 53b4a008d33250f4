/** A source as an operator sees it before the import. */
import { createHash } from 'node:crypto';
import { readsResources } from '#sdk/protocol/action-meta';
import { formatActionId } from '#sdk/protocol/ids';
import type { ImportPreview } from '#sdk/protocol/imports';
import { writeCanonicalJson } from '#sdk/tools/json';
import { lintToolkit, undeclaredResults } from '../src/catalog/lint';
import type { OpenSource } from './open-source';
import { type NamedAction, pinsOf } from './pins';
import type { ToolkitEntry } from './toolkits-file';
import { entryYaml } from './toolkits-yaml';
import { undescribedActions } from './undescribed-actions';

/** @param entry as `toolkits.yaml` will have it */
export function previewSource(id: string, entry: ToolkitEntry, source: OpenSource): ImportPreview {
  const { toolkit, presented, tags, skipped, targets, missing } = source;
  const { name = id, description = '' } = toolkit;
  const auth = source.authOf(presented.map(({ action }) => action));
  const seen = presented.filter((action) => !readsResources(action));
  const actions = seen.map((action) => toActionInfo(id, action));
  return {
    toolkit,
    actions: seen.map(({ action, actionDescription, payloadDescription, annotations, title, resultDescription }) => ({
      action,
      ...(title !== undefined && { title }),
      actionDescription,
      payloadDescription,
      ...(resultDescription && { resultDescription }),
      annotations,
    })),
    tags,
    skipped,
    targets,
    ...(auth && { auth }),
    findings: [undescribedActions(presented), ...lintToolkit({ id, name, description, actions }), undeclaredResults(actions)].filter(
      (finding) => finding !== undefined,
    ),
    missing,
    yaml: entryYaml(id, entry),
    sha256: createHash('sha256')
      .update(writeCanonicalJson([pinsOf({ toolkit, actions: presented }), targets, ...(auth ? [auth] : [])]))
      .digest('hex'),
  };
}

function toActionInfo(id: string, { action, actionDescription, payloadDescription, annotations, resultDescription }: NamedAction) {
  const info = { action: formatActionId(id, action), description: actionDescription, payloadSchema: payloadDescription, annotations };
  return { ...info, resultSchema: resultDescription };
}
