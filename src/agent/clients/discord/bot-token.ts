/** The bot's user id, which the first part of its token holds in base64. */
export function botIdOf(botToken: string): string {
  const [, first = ''] = /^([\w-]+)\.[\w-]+\.[\w-]+$/.exec(botToken) ?? [];
  const id = Buffer.from(first, 'base64url').toString('latin1');
  if (!/^\d{15,20}$/.test(id)) {
    throw new Error(
      'botToken is not the token of a Discord bot, which has three parts with dots between them: ' +
        'copy it from https://discord.com/developers/applications, page Bot, Reset Token',
    );
  }
  return id;
}
