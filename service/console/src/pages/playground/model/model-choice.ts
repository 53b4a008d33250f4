/** The model of a conversation. An own model's key stays in this browser tab: it is sent to the model's address alone. */
export type ModelChoice = { kind: 'script' } | { kind: 'service'; model: string } | OwnModel;

export interface OwnModel {
  kind: 'own';
  /** The address of an API for chat completions, such as `https://api.openai.com/v1`. */
  url: string;
  key: string;
  model: string;
}

export function modelName(choice: ModelChoice): string {
  return choice.kind === 'script' ? 'scripted model' : choice.model || 'unnamed model';
}
