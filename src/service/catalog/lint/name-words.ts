/** `getUserById`, `get_user-by.id` -> `get user by id`. Names of actions are ASCII; what else stands in the name of a parameter is passed over. */
export function nameWords(name: string): string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g)?.map((word) => word.toLowerCase()) ?? [];
}
