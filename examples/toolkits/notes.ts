/**
 * Notes that are kept in memory. Deleting them is declared `destructive`, so an agent asks a person first.
 *
 *   SVC_TOOLKIT_API_KEY=… node examples/toolkits/notes.ts
 */
import { Toolkit } from 'svc-sdk';
import { z } from 'zod';
import { reportLoss, serve } from './shared/serve.ts';

const MAX_NOTES = 1_000;

const notes: string[] = [];
const toolkit = new Toolkit({ onStatus: reportLoss });

toolkit.action(
  {
    action: 'write_note',
    actionDescription: 'Writes a note: keeps a short text, such as a thing to buy or to do.',
    payloadDescription: z.object({ text: z.string().min(1).max(1_000).describe('The text of the note') }),
  },
  (ctx, { text }) => {
    if (notes.length === MAX_NOTES) return ctx.error('FULL', `${MAX_NOTES} notes are kept at most. Delete them first`);
    notes.push(text);
    return ctx.result({ notes: notes.length });
  },
);

toolkit.action({ action: 'list_notes', actionDescription: 'Lists all notes, oldest first.', annotations: { readOnly: true } }, () => ({
  notes,
}));

toolkit.action(
  {
    action: 'delete_all_notes',
    actionDescription: 'Deletes all notes. They cannot be brought back.',
    annotations: { destructive: true },
  },
  () => ({ deleted: notes.splice(0).length }),
);

await serve(toolkit, { name: 'Notes', description: 'Keeps short texts' });
