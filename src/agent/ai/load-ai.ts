/** The AI SDK, an optional peer, loaded by the first request. */
import { packageError } from '../../protocol/package-error';

export type AiSdk = Pick<typeof import('ai'), 'gateway' | 'generateText' | 'jsonSchema' | 'streamText'>;

/** @throws SvcError that has the install command, if the package is missing */
export async function loadAi(): Promise<AiSdk> {
  try {
    return await import('ai');
  } catch (error) {
    throw packageError('aiModel', 'ai', error);
  }
}
