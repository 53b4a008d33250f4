import { printable } from '#sdk/protocol/invisible-text';
import type { KeptRunDetails } from '#sdk/protocol/kept-run-schemas';
import { CodeBlock } from '../../parts/code-block';
import { Section } from '../../parts/section';

export function RunProgram({ code, answer }: Pick<KeptRunDetails, 'code' | 'answer'>) {
  const at = answer.status === 'failed' ? answer.error.at : undefined;
  return (
    <Section title="Program" description={at ? `It failed at line ${at.line}.` : 'In the words of the model.'}>
      <CodeBlock code={printable(code)} label="Program" />
    </Section>
  );
}
