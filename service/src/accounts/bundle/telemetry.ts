/** Replaces @better-auth/telemetry in the bundle: the service reports nothing to anybody. */
export async function createTelemetry(): Promise<{ publish(): Promise<void> }> {
  return { publish: async () => {} };
}

export function getTelemetryAuthConfig(): object {
  return {};
}
