/** The token of a Telegram bot: `<bot id>:<secret>`. */

/** @throws Error without the text, which may be another secret */
export function telegramBotIdOf(botToken: string): string {
  const id = /^(\d{1,19}):[\w-]{20,}$/.exec(botToken)?.[1];
  if (id) return id;
  throw new Error(
    'botToken is not a token of Telegram. A token looks like 123456789:AAF… and comes from @BotFather (https://t.me/BotFather)',
  );
}
