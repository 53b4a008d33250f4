/** The facts of a connection for the audit, whose subject is the toolkit. Member by member: the record holds the sealed secret too. */
export function connectionFacts({ id, owner, name, account }: { id: string; owner: string; name: string; account: string }) {
  return { connection: id, owner, named: name, ...(account !== '' && { account }) };
}
