/** The end of the program, or the calls for which it waits. */
import { List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { printable } from '#sdk/protocol/invisible-text';
import type { KeptRunDetails } from '#sdk/protocol/kept-run-schemas';
import { CodeBlock } from '../../parts/code-block';
import { Section } from '../../parts/section';
import { WholeJson } from '../../parts/whole-json';

type Answer = KeptRunDetails['answer'];

export function RunAnswerPart({ answer }: { answer: Answer }) {
  return (
    <>
      <Output answer={answer} />
      {'log' in answer && answer.log !== undefined && (
        <Section title="Log">
          <CodeBlock code={printable(answer.log)} label="Log" />
        </Section>
      )}
      {'content' in answer && answer.content !== undefined && (
        <Section title="Shown beside the result">
          <WholeJson value={answer.content} label="Content as JSON" />
        </Section>
      )}
    </>
  );
}

function Output({ answer }: { answer: Answer }) {
  switch (answer.status) {
    case 'done':
      return (
        <Section title="Result">
          <WholeJson value={answer.result} label="Result as JSON" />
        </Section>
      );
    case 'failed':
      return (
        <Section title="Failure" description={answer.ran.length > 0 ? `Ran, or may have run: ${answer.ran.join(', ')}` : 'No action ran.'}>
          <Text size="sm" className="written">
            {answer.error.code}: {printable(answer.error.message)}
          </Text>
        </Section>
      );
    case 'waiting':
      return <Asks asks={answer.asks} />;
    case 'running':
      return null;
  }
}

function Asks({ asks }: { asks: Extract<Answer, { status: 'waiting' }>['asks'] }) {
  return (
    <Section title="Waits for" description="The program goes on by itself when one of these has its answer.">
      <List size="sm">
        {asks.map(({ action, approval, connect, handle }) => (
          <List.Item key={approval?.id ?? handle ?? `${action} ${connect?.toolkit}`}>
            <span className="ids">{action}</span>:{' '}
            {approval ? (
              <Link to="/approvals/$id" params={{ id: approval.id }}>
                a decision
              </Link>
            ) : connect ? (
              `an account of ${connect.toolkit}`
            ) : (
              'its end'
            )}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
