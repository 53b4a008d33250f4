import { type Kysely, sql } from 'kysely';
import type { PeopleAlone } from '../sql/accounts';
import type { Tables } from '../sql/tables';

/** Two owners who take each other's role away at the same time would both see an owner who is left. */
export function peopleAlone(db: Kysely<Tables>): PeopleAlone {
  return (change) =>
    db.transaction().execute(async (transaction) => {
      await sql`LOCK TABLE people IN SHARE ROW EXCLUSIVE MODE`.execute(transaction);
      return change(transaction);
    });
}
