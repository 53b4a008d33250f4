/** The owner of a kept connection, as the store has it: `everyone`, `agent:<key id>`, `user:<key id>:<user id>` or `person:<person id>`. */

export type ConnectionOwner =
  | { kind: 'everyone' }
  | { kind: 'agent'; keyId: string }
  | { kind: 'user'; keyId: string; userId: string }
  | { kind: 'person'; personId: string };

export function readOwner(text: string): ConnectionOwner {
  const [kind = '', id = '', ...rest] = text.split(':');
  switch (kind) {
    case 'everyone':
      return { kind };
    case 'agent':
      return { kind, keyId: id };
    case 'person':
      return { kind, personId: id };
    case 'user':
      // The id of a user may have colons.
      return { kind, keyId: id, userId: rest.join(':') };
    default:
      throw new Error(`The owner of a connection reads "${text}"`);
  }
}

export function userOwner(keyId: string, userId: string): string {
  return `user:${keyId}:${userId}`;
}
