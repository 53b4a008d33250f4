/**
 * The connection of a call on its way to another node: sealed with a key that only the nodes have, for that call alone.
 *
 * Shape: base64url of `sealText`, bound to the invocation id.
 */
import * as z from 'zod';
import type { FrameConnection } from '#sdk/protocol/connections';
import type { UsedConnection } from '../hub/attempt';
import { CallConnection } from '../lib/call-connection';
import { openText, sealText } from '../lib/sealed-text';

const sealed = z.object({
  frame: z.custom<FrameConnection>((frame) => typeof frame === 'object' && frame !== null),
  id: z.string().optional(),
});

export class ConnectionSeal {
  readonly #key: Buffer;

  /** @param key the same at all nodes */
  constructor(key: Buffer) {
    this.#key = key;
  }

  seal({ connection, id }: UsedConnection, invocationId: string): string {
    const text = JSON.stringify({ frame: JSON.parse(connection.frameJson), id });
    return sealText(this.#key, text, invocationId).toString('base64url');
  }

  /** Undefined for the connection of another call, and for that of a node with another key. */
  open(text: string, invocationId: string): UsedConnection | undefined {
    const json = openText(this.#key, Buffer.from(text, 'base64url'), invocationId);
    if (json === undefined) return undefined;
    const { frame, id } = sealed.parse(JSON.parse(json));
    return { connection: CallConnection.of(frame), id };
  }
}
