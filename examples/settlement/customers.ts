import { readFile } from 'node:fs/promises';

/**
 * Finds the customer who pays for an agent key, in a JSON file: `{ "key_…": "cus_…" }`. It is read for each entry, so that a new customer needs no
 * restart.
 */
export async function customerOf(agentKeyId: string, file: string): Promise<string> {
  const customers: Record<string, string> = JSON.parse(await readFile(file, 'utf8'));
  const customer = customers[agentKeyId];
  // The entry comes again, and waits with all later ones until you add the customer: no charge is lost.
  if (customer === undefined) throw new Error(`${file} has no customer for ${agentKeyId}: add one`);
  return customer;
}
