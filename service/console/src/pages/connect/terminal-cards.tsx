/** Clients in a terminal. */
import { Code } from '@mantine/core';
import { claudeCommand, codexCommand, type McpServer } from '../../../../src/snippets/client-links';
import { CodeBlock } from '../../parts/code-block';
import { ClientCard } from './client-card';
import { ConsentStep } from './consent-step';

export function TerminalCards({ server }: { server: McpServer }) {
  return (
    <>
      <ClientCard
        client="Claude Code"
        steps={[
          <>Run the command in a terminal. It adds the server to the current project.</>,
          <>
            In Claude Code, enter <Code>/mcp</Code>, select <b>{server.name}</b>, and then <b>Authenticate</b>.
          </>,
          <ConsentStep key="consent" />,
        ]}
      >
        <CodeBlock label="Command for Claude Code" wrap code={claudeCommand(server)} />
      </ClientCard>
      <ClientCard
        client="Codex"
        steps={[
          <>Run the command in a terminal.</>,
          <>
            If no browser opens, run <Code>codex mcp login {server.name}</Code>.
          </>,
          <ConsentStep key="consent" />,
        ]}
        note="Codex 0.147 or newer: earlier versions cannot sign in here."
      >
        <CodeBlock label="Command for Codex" wrap code={codexCommand(server)} />
      </ClientCard>
    </>
  );
}
