/** A client whose platform has buttons for questions. */
import type { MessageContext, Question } from 'svc-sdk/agent';
import { PipeClient } from './agent';

export class ButtonClient extends PipeClient {
  readonly asked: Question[] = [];
  readonly ended: [shown: unknown, text: string][] = [];

  override async askApproval(_ctx: MessageContext, question: Question): Promise<unknown> {
    this.asked.push(question);
    return { id: `question-${this.asked.length}` };
  }

  override async endQuestion(_ctx: MessageContext, shown: unknown, text: string): Promise<void> {
    this.ended.push([shown, text]);
  }
}
