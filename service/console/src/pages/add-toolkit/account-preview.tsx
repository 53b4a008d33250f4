/** The account with which the imported actions act. Empty for calls with the operator's credentials. */
import { Stack, Text } from '@mantine/core';
import type { ToolkitAuth } from '#sdk/protocol/connections';
import { authTypeWords, SOURCE_WORDS } from '../../parts/connection-words';

export function AccountPreview({ auth }: { auth: ToolkitAuth | undefined }) {
  if (!auth) return null;
  const { from, scopes = [] } = auth;
  return (
    <Stack gap={4} role="group" aria-label="Account of its calls">
      <Text size="sm" fw={500}>
        Account of its calls
      </Text>
      <Text size="sm" className="written">
        {SOURCE_WORDS[from]} {authTypeWords(auth)}
        {scopes.length > 0 && ` for ${scopes.join(' ')}`}.
      </Text>
    </Stack>
  );
}
