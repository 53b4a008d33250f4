/** `getUserById`, `get_user-by.id` -> `get user by id`. Names of actions are ASCII; other characters in the name of a parameter are skipped. */
export function nameWords(name: string): string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g)?.map((word) => word.toLowerCase()) ?? [];
}
