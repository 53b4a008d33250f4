/**
 * The contents of a resource -> result and attachments of an action.
 *
 * Shape: the text of one content, else the list of texts with their URIs; bytes are attached as files.
 */
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { type Attaching, resultBesideBlocks } from './tool-result';

export function readResourceResult(ctx: Attaching, { contents }: ReadResourceResult): unknown {
  const texts = contents.flatMap(({ uri, ...content }) => ('text' in content ? [{ uri, text: content.text }] : []));
  const files = contents.flatMap((resource) => ('blob' in resource ? [{ type: 'resource' as const, resource }] : []));
  const [first = { text: null }, ...others] = texts;
  return resultBesideBlocks(ctx, others.length > 0 ? texts : first.text, files);
}
