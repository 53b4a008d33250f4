/** `svc-service demo`: a service, a toolkit and a model in one process, which answers one question and ends. */
import type { Command } from 'commander';
import type { Terminal } from '#sdk/cli/terminal';

export function addDemoCommand(program: Command, terminal: Terminal): void {
  program
    .command('demo')
    .description('See it work: a service, a weather toolkit and a model that uses it')
    .argument('[question]', 'what to ask', 'What is the weather in Rome?')
    .addHelpText(
      'after',
      `
The model is yours with OPENAI_API_KEY (OPENAI_BASE_URL, OPENAI_MODEL), else a
script in its place; searches and calls are real.`,
    )
    .action(async (question: string) => (await import('./demo/run-demo')).runDemo(terminal, question));
}
