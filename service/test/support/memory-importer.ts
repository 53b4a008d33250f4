/** An importer of a program's own: it keeps what is added, and always holds one change of it. */
import { SvcError } from 'svc-sdk';
import type { Importer, ImportPreview, ImportRequest, ImportStatus } from 'svc-service';

export const SHOWN_SHA256 = 'a'.repeat(64);
export const HELD_SHA256 = 'c'.repeat(64);

export class MemoryImporter implements Importer {
  readonly added: ImportRequest[] = [];
  readonly previewed: ImportRequest[] = [];
  readonly approved: string[] = [];

  async preview(request: ImportRequest): Promise<ImportPreview> {
    this.previewed.push(request);
    return {
      toolkit: { name: 'Notes', description: 'Notes of a team' },
      actions: [
        {
          action: 'find_notes',
          actionDescription: 'Finds notes by a word in them',
          payloadDescription: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
          annotations: { readOnly: true },
        },
      ],
      tags: [{ tag: 'notes', actions: 1 }],
      skipped: [
        { what: 'PUT /notes/{id}', why: 'its body is XML' },
        { what: 'GET /notes', part: 'callbacks', why: 'calls from the API are not received' },
      ],
      targets: [{ address: 'https://notes.example.com/v1', actions: 1, sent: ['header authorization'] }],
      findings: [{ rule: 'vague-name', severity: 'warning', action: 'notes__find_notes', message: 'It is vague', hint: 'Name the object' }],
      missing: ['NOTES_TOKEN'],
      yaml: `  ${request.id}: { mcp: { command: notes-server } }\n`,
      sha256: SHOWN_SHA256,
    };
  }

  async add(request: ImportRequest, sha256: string): Promise<void> {
    if (sha256 !== SHOWN_SHA256) throw new SvcError('CONFLICT', 'The source has changed since it was shown: look at it again');
    this.added.push(request);
  }

  async list(): Promise<ImportStatus[]> {
    return this.added.map(({ id }) => ({
      id,
      source: 'notes-server',
      state: 'online',
      actions: 1,
      ...(!this.approved.includes(id) && {
        held: { changes: [{ kind: 'changed', action: 'find_notes' }], diff: '- Finds notes\n+ Finds all', sha256: HELD_SHA256 },
      }),
    }));
  }

  async approve(id: string, sha256: string): Promise<void> {
    if (sha256 !== HELD_SHA256) throw new SvcError('CONFLICT', `The held changes of ${id} are others now: look at them again`);
    this.approved.push(id);
  }
}
