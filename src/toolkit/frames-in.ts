/** Parses one text frame of the service; undefined when it is not a JSON-RPC 2.0 frame (no batches). */
import type { FrameError } from '../protocol/frames';

export type FrameIn =
  | { kind: 'request'; id: string | number; method: string; params: unknown }
  | { kind: 'notification'; method: string; params: unknown }
  | { kind: 'result'; id: unknown; result: unknown }
  | { kind: 'error'; id: unknown; error: FrameError };

export function readFrame(text: string): FrameIn | undefined {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof frame !== 'object' || frame === null || !('jsonrpc' in frame) || frame.jsonrpc !== '2.0') return undefined;
  const { id, method, params, result, error } = frame as Record<string, unknown>;
  if (typeof method === 'string') {
    if (id === undefined) return { kind: 'notification', method, params };
    return typeof id === 'string' || typeof id === 'number' ? { kind: 'request', id, method, params } : undefined;
  }
  if (isFrameError(error)) return { kind: 'error', id, error };
  return 'result' in frame ? { kind: 'result', id, result } : undefined;
}

function isFrameError(value: unknown): value is FrameError {
  if (typeof value !== 'object' || value === null) return false;
  const { code, message } = value as Partial<FrameError>;
  return typeof code === 'number' && typeof message === 'string';
}
