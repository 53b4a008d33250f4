/** A JSON object with an `items` array whose text has exactly `bytes` bytes (at least 300). */
export function payloadOf(bytes: number): { items: unknown[]; note: string } {
  const payload: { items: unknown[]; note: string } = { items: [], note: '' };
  for (let id = 1; ; id++) {
    payload.items.push({ id, name: `item ${id}`, price: id * 1.5, inStock: id % 3 > 0, tags: ['bench', 'relay'] });
    if (JSON.stringify(payload).length > bytes) break;
  }
  payload.items.pop();
  payload.note = '.'.repeat(bytes - JSON.stringify(payload).length);
  return payload;
}
