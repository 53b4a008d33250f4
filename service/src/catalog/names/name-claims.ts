/**
 * The first toolkit with each name. A toolkit claims its id and its display name; one with a look-alike of an earlier claim imitates it.
 *
 * Shape: skeleton -> the toolkits that claim it, with the time of the claim. A comparison costs the same in every catalogue.
 */
import type { ToolkitRecord } from '../../store/store';
import { skeletons } from './skeletons';

interface Claims {
  first: string;
  /** Toolkit id -> when the toolkit took the name. */
  since: Map<string, number>;
}

export class NameClaims {
  readonly #bySkeleton = new Map<string, Claims>();
  readonly #ofToolkit = new Map<string, ReadonlyMap<string, number>>();

  /** Replaces the claims of the toolkit. Returns other toolkits that imitate no more, or from now on. */
  set(toolkit: ToolkitRecord): Set<string> {
    const affected = this.remove(toolkit.id);
    const own = claimsOf(toolkit);
    this.#ofToolkit.set(toolkit.id, own);
    for (const [skeleton, since] of own) {
      const claims = this.#bySkeleton.get(skeleton);
      if (!claims) {
        this.#bySkeleton.set(skeleton, { first: toolkit.id, since: new Map([[toolkit.id, since]]) });
        continue;
      }
      claims.since.set(toolkit.id, since);
      affected.add(claims.first);
      if (isBefore(claims, toolkit.id, claims.first)) claims.first = toolkit.id;
    }
    affected.delete(toolkit.id);
    return affected;
  }

  /** Returns the toolkits that imitate no more. */
  remove(toolkitId: string): Set<string> {
    const affected = new Set<string>();
    for (const skeleton of this.#ofToolkit.get(toolkitId)?.keys() ?? []) {
      const claims = this.#bySkeleton.get(skeleton);
      if (!claims) continue;
      claims.since.delete(toolkitId);
      if (claims.first !== toolkitId) continue;
      const [next, ...others] = claims.since.keys();
      if (next === undefined) {
        this.#bySkeleton.delete(skeleton);
        continue;
      }
      claims.first = others.reduce((first, other) => (isBefore(claims, other, first) ? other : first), next);
      affected.add(claims.first);
    }
    this.#ofToolkit.delete(toolkitId);
    return affected;
  }

  /** The toolkit that had this name, or a look-alike, first. */
  firstWith(name: string): string | undefined {
    for (const skeleton of skeletons(name)) {
      const claims = this.#bySkeleton.get(skeleton);
      if (claims) return claims.first;
    }
    return undefined;
  }

  /** The toolkit that this one imitates. */
  imitatedBy(toolkitId: string): string | undefined {
    for (const skeleton of this.#ofToolkit.get(toolkitId)?.keys() ?? []) {
      const first = this.#bySkeleton.get(skeleton)?.first;
      if (first !== undefined && first !== toolkitId) return first;
    }
    return undefined;
  }
}

function claimsOf({ id, name, createdAt, namedAt = createdAt }: ToolkitRecord): Map<string, number> {
  const ofName = skeletons(name).map((skeleton): [string, number] => [skeleton, namedAt]);
  return new Map([...ofName, ...skeletons(id).map((skeleton): [string, number] => [skeleton, createdAt])]);
}

/** Toolkits of the same millisecond are in the order of their ids, so that all nodes agree. */
function isBefore({ since }: Claims, one: string, other: string): boolean {
  const [at, otherAt] = [since.get(one) ?? 0, since.get(other) ?? 0];
  return at < otherAt || (at === otherAt && one < other);
}
