/** Two buttons under a question. A press returns `custom_id`, which holds the question's id (at most 50 of Discord's 100 characters). */
import type { Question } from '../../chat/base-client';
import type { MessageContext } from '../../chat/message-context';

/** Discord's numbers: a row of components, a button, and its colours green and red. */
const ROW = 1;
const BUTTON = 2;
const GREEN = 3;
const RED = 4;

export function buttonsFor({ id }: Question): object[] {
  return [
    {
      type: ROW,
      components: [
        { type: BUTTON, style: GREEN, label: 'Yes', custom_id: `svc:yes:${id}` },
        { type: BUTTON, style: RED, label: 'No', custom_id: `svc:no:${id}` },
      ],
    },
  ];
}

/** Undefined for a button of another program. */
export function readButton(customId: string): MessageContext['answer'] {
  const [, word, questionId] = /^svc:(yes|no):(.+)$/.exec(customId) ?? [];
  return questionId === undefined ? undefined : { questionId, approved: word === 'yes' };
}
