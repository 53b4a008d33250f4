/** The position in a gateway session. This is the client's cursor, with which another process can resume. */
export interface GatewaySession {
  session: string;
  /** The last event's number. */
  sequence: number;
  resumeUrl: string;
}

/** Undefined for a cursor of another shape. */
export function readSession(cursor: unknown): GatewaySession | undefined {
  const { session, sequence, resumeUrl } = (cursor ?? {}) as Record<string, unknown>;
  if (typeof session !== 'string' || !Number.isSafeInteger(sequence) || typeof resumeUrl !== 'string') return undefined;
  return URL.canParse(resumeUrl) ? { session, sequence: sequence as number, resumeUrl } : undefined;
}
