import { expect } from 'vitest';
import type { SignedInPerson } from '../../../test/support/console-service';
import { OAuthClient, type Tokens, tokensOf } from './oauth-client';

/** Sends one refresh token 40 times at once, again and again: no request is refused, and all get one successor. */
export async function raceRefreshes(rounds: number, person: SignedInPerson, nodes: readonly { url: string }[]): Promise<Tokens> {
  const client = await OAuthClient.register(nodes[0]!.url);
  const at = nodes.map(({ url }) => client.at(url));
  let tokens = await client.signIn(person);
  for (let round = 0; round < rounds; round++) {
    const { refresh_token } = tokens;
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => at[index % at.length]!.refresh(refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const all = await Promise.all(answers.map(tokensOf));
    expect(new Set(all.map((each) => each.refresh_token)).size).toBe(1);
    tokens = all[round % all.length]!;
  }
  return tokens;
}
