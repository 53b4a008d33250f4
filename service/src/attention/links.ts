/** Paths of the console's pages that mend an alert. */
export function toolkitLink(id: string): string {
  return `/toolkits/${encodeURIComponent(id)}`;
}

export function keyLink(id: string): string {
  return `/keys?id=${encodeURIComponent(id)}`;
}
