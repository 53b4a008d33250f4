/** The findings of the linter: one line each, with the suggested change on demand. */
import { Accordion, Badge, Group, Text } from '@mantine/core';
import type { LintFinding, LintRule } from '#sdk/protocol/lint';

/** The rule in words. */
export const RULE_TEXTS: Record<LintRule, string> = {
  'vague-name': 'vague name',
  'vague-description': 'vague description',
  'long-description': 'long description',
  colliding: 'like another',
  'undescribed-parameters': 'undescribed parameters',
  'large-payload': 'large payload',
  'result-dropped': 'shape left out',
  'result-undeclared': 'no shape',
  'result-opaque': 'empty shape',
  'result-huge': 'large shape',
  'instructs-model': 'instructs the model',
  'undeclared-destructive': 'not declared destructive',
  'toolkit-description': 'description',
  'undescribed-actions': 'no descriptions',
  'look-alike-name': 'name like another',
  'reserved-name': 'name of the service',
  'mixed-scripts': 'mixed scripts',
  'result-misfit': 'results do not fit',
};

export function FindingList({ findings }: { findings: readonly LintFinding[] }) {
  return (
    <Accordion multiple variant="contained" className="findings">
      {findings.map(({ rule, severity, message, hint }) => (
        <Accordion.Item key={`${rule} ${message}`} value={`${rule} ${message}`}>
          <Accordion.Control>
            <Group gap="xs" wrap="nowrap" align="baseline" component="span">
              <Badge variant="light" color={severity === 'error' ? 'red' : 'gray'} tt="none" fw={500} flex="none">
                {severity === 'error' ? `Error: ${RULE_TEXTS[rule]}` : RULE_TEXTS[rule]}
              </Badge>
              <Text span size="sm" className="finding">
                {message}
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Text size="sm" className="written">
              {hint}
            </Text>
            <Text size="xs" c="dimmed" mt={4}>
              Rule <span className="ids">{rule}</span>
            </Text>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
