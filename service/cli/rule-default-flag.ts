/** The flag for the effects by hint where no rule of a key matches. */
import { type Command, InvalidArgumentError } from 'commander';

export interface RuleDefaultFlag {
  /** The service checks hints and effects. */
  ruleDefault?: Record<string, string>;
}

export function addRuleDefaultFlag(command: Command): Command {
  return command.option(
    '--rule-default <hint=effect>',
    'effect where no rule of a key matches: allow, ask or deny actions with this hint, such as destructive=ask; may be given several times; docs/approvals.md',
    collectEffect,
  );
}

function collectEffect(text: string, earlier: Record<string, string> = {}): Record<string, string> {
  const [hint, effect, ...rest] = text.split('=');
  if (!hint || !effect || rest.length > 0) throw new InvalidArgumentError('Write <hint>=<effect>, such as destructive=ask.');
  return { ...earlier, [hint]: effect };
}
