/**
 * A large catalogue for the console's lists: 206 toolkits with ten actions each, and calls of them. Written straight into a store, which takes a
 * moment; connecting as many toolkits would take a minute.
 */
import type { CallCount } from '../../src/store/console-store';
import type { Store } from '../../src/store/store';

export const TOOLKITS = 206;

const DEPARTMENTS = [
  'accounting',
  'billing',
  'catalogue',
  'delivery',
  'engineering',
  'facilities',
  'golf',
  'hospitality',
  'insurance',
  'journal',
  'kitchen',
  'legal',
  'marketing',
  'network',
  'operations',
  'payroll',
  'quality',
  'recruiting',
  'sales',
  'travel',
  'utilities',
];
const SUBJECTS = ['agreements', 'budgets', 'contacts', 'documents', 'events', 'forecasts', 'goods', 'hours', 'invoices', 'journeys'];
const VERBS = ['archive', 'change', 'compare', 'create', 'delete', 'export', 'find', 'import', 'list', 'summarise_with_attachments'];

/** `accounting-agreements`, `accounting-budgets`, … */
const TOOLKIT_IDS = DEPARTMENTS.flatMap((department) => SUBJECTS.map((subject) => `${department}-${subject}`)).slice(0, TOOLKITS);

const SEEDED_KEY = { id: 'key_reporting', name: 'Nightly reporting of the finance department' };
export const SEEDED_CALLS = 240;

type SeededStore = Pick<Store, 'catalog' | 'keys' | 'invocations' | 'counts'>;

export async function seedToolkits({ catalog }: Pick<SeededStore, 'catalog'>, now = Date.now()): Promise<void> {
  for (const [index, id] of TOOLKIT_IDS.entries()) {
    const [department, subject] = id.split('-');
    const description = `Works with the ${subject} of ${department}`;
    await catalog.insertToolkit({ id, name: `${department} ${subject}`, description, createdAt: now - index * 60_000 });
    const upsert = VERBS.map((verb) => ({
      toolkitId: id,
      name: `${verb}_${subject}`,
      description: `${verb} one of the ${subject} of ${department} by its number`,
      payloadSchema: { type: 'object' as const, properties: { number: { type: 'integer' as const } } },
      annotations: {},
    }));
    await catalog.changeActions(id, { upsert, remove: [] });
  }
}

/** Calls of the last two hours by one agent key, oldest first: most succeed, some fail in the ways that calls do. */
export async function seedCalls({ keys, invocations, counts }: SeededStore, now = Date.now()): Promise<void> {
  const nothing = {
    toolkitId: null,
    allow: null,
    callsPerMinute: 30,
    budget: null,
    rules: null,
    code: false,
    expiresAt: null,
    revokedAt: null,
    ownerId: null,
    clientId: null,
  };
  await keys.insert({ ...nothing, ...SEEDED_KEY, kind: 'agent', hash: 'a'.repeat(64), createdAt: now - 86_400_000 });
  const added: CallCount[] = [];
  for (let index = 0; index < SEEDED_CALLS; index++) {
    const startedAt = now - (SEEDED_CALLS - index) * 30_000;
    const toolkit = TOOLKIT_IDS[(index * 7) % TOOLKITS] ?? '';
    const action = `${toolkit}__${VERBS[index % VERBS.length]}_${toolkit.split('-')[1]}`;
    const code = FAULTS[index % 12] ?? 'OK';
    const id = `inv_${startedAt.toString(36).padStart(9, '0')}${String(index).padStart(4, '0')}`;
    const ms = 4 + ((index * 37) % 900);
    await invocations.start({ id, agentKeyId: SEEDED_KEY.id, idempotencyKey: null, requestHash: '', action, startedAt });
    await invocations.end(id, { code, body: null, endedAt: startedAt + ms });
    for (const step of [60, 3_600, 86_400] as const) {
      const counted = { start: startedAt - (startedAt % (step * 1_000)), step, code, bucket: 20 + (index % 40), calls: 1 };
      added.push(
        { ...counted, dimension: 'all', name: '' },
        { ...counted, dimension: 'key', name: SEEDED_KEY.id },
        { ...counted, dimension: 'toolkit', name: toolkit },
        { ...counted, dimension: 'action', name: action },
      );
    }
  }
  await counts.add(added);
  await invocations.settled();
}

const FAULTS: Record<number, string> = { 3: 'ACTION_FAILED', 7: 'INVOCATION_CANCELLED', 9: 'INVALID_PAYLOAD', 11: 'INVOCATION_TIMEOUT' };
