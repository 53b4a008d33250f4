/** `@discordjs/rest`, an optional peer, loaded by `start()`. */
import { packageError } from '../../../protocol/package-error';

export async function loadRest(): Promise<typeof import('@discordjs/rest')> {
  try {
    return await import('@discordjs/rest');
  } catch (error) {
    throw packageError('DiscordClient', '@discordjs/rest', error);
  }
}
